"""Window functions: values, dtypes and errors as PyTorch's."""

import pytest

import wengert

from .outcomes import assert_same_outcome, calls

torch = pytest.importorskip("torch")

NAMES = [
    "bartlett",
    "blackman",
    "cosine",
    "exponential",
    "gaussian",
    "hamming",
    "hann",
    "kaiser",
    "nuttall",
    "general_hamming",
]
SIGNAL = [
    f"torch.signal.windows.{name}({arguments})"
    for name in NAMES
    for arguments in (
        "5",
        "6, sym=False, dtype=torch.float64",
        "1",
        "0",
        "-1",
        "4, dtype=torch.int64",
        "4, dtype=torch.float16",
    )
]
LEGACY = [
    f"torch.{name}_window({arguments})"
    for name in ["bartlett", "blackman", "hamming", "hann", "kaiser"]
    for arguments in (
        "5",
        "6, False, dtype=torch.float64",
        "1",
        "0",
        "2",
        "-1",
        "4.0",
        "window_length=3",
    )
]
OTHERS = calls(
    """
    torch.signal.windows.exponential(5, center=1.5, sym=False, tau=2.0); torch.signal.windows.exponential(5, center=1)
    torch.signal.windows.exponential(5, tau=0); torch.signal.windows.gaussian(5, std=0.7); torch.signal.windows.gaussian(5, std=0)
    torch.signal.windows.kaiser(5, beta=3.0); torch.signal.windows.kaiser(5, beta=-1); torch.signal.windows.general_cosine(5, a=[])
    torch.signal.windows.general_cosine(6, a=(0.5, 0.3, 0.2)); torch.signal.windows.general_cosine(5, a=3)
    torch.signal.windows.general_hamming(5, alpha=0.3, sym=False); torch.signal.windows.hann(4, layout=torch.sparse_coo)
    torch.hamming_window(5, True, 0.5, 0.3); torch.kaiser_window(5, True, 3.0)
    """
)


@pytest.mark.parametrize("text", SIGNAL + LEGACY + OTHERS)
def test_windows(text):
    assert_same_outcome(torch, {}, text)


@pytest.mark.parametrize("options", ["dtype=torch.int64", "layout=torch.sparse_coo"])
def test_refusals_begin_with_pytorchs_words(options):
    said = []
    for lib in (torch, wengert):
        with pytest.raises(RuntimeError) as caught:
            eval(f"torch.hann_window(4, {options})", {"torch": lib})
        said.append(str(caught.value).partition("got: ")[0])
    assert said[0] == said[1]
