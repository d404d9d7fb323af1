"""Train a small network on the 1,797 handwritten digits that ship with scikit-learn, and show what it still gets wrong.

    python examples/digits.py [--epochs 30] [--hidden 256] [--seed 0]

Replace the first import by `import torch`, and it runs on PyTorch, with the same numbers.
"""

import argparse
import sys
import time

from sklearn.datasets import load_digits
from tqdm import tqdm

import wengert as torch
from wengert import nn

SHADES = " .:-=+*#%@"


def main() -> int:
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--epochs", type=int, default=30)
    options.add_argument("--hidden", type=int, default=256, help="units in the hidden layer")
    options.add_argument("--batch", type=int, default=32)
    options.add_argument("--seed", type=int, default=0)
    chosen = options.parse_args()

    torch.manual_seed(chosen.seed)
    digits = load_digits()
    images = torch.from_numpy(digits.data).to(torch.float32) / 16.0
    labels = torch.from_numpy(digits.target).to(torch.int64)
    order = torch.randperm(len(labels))
    held_out, train = order[:360], order[360:]

    model = nn.Sequential(nn.Linear(64, chosen.hidden), nn.ReLU(), nn.Linear(chosen.hidden, 10))
    loss_of = nn.CrossEntropyLoss()
    optimizer = torch.optim.Adam(model.parameters(), lr=0.003)
    count = sum(p.numel() for p in model.parameters())
    print(f"{len(train)} digits to learn from, {len(held_out)} held out; a network of {count:,} parameters:\n{model}")

    start, steps = time.perf_counter(), 0
    progress = tqdm(range(chosen.epochs), desc="training", unit="epoch", ncols=80, file=sys.stdout)
    for _ in progress:
        shuffled = train[torch.randperm(len(train))]
        for batch in shuffled.split(chosen.batch):
            optimizer.zero_grad()
            loss = loss_of(model(images[batch]), labels[batch])
            loss.backward()
            optimizer.step()
            steps += 1
        progress.set_postfix(loss=f"{loss.item():.4f}", refresh=False)
    seconds = time.perf_counter() - start

    with torch.no_grad():
        scores = model(images[held_out])
    guesses, truth = scores.argmax(1), labels[held_out]
    right = int((guesses == truth).sum())
    accuracy = right / len(held_out)
    print(f"{steps} steps in {seconds:.1f} s ({1e6 * seconds / steps:.0f} us a step)")
    print(f"held-out accuracy {100 * accuracy:.2f} % ({right} of {len(held_out)})")
    show_mistakes(images[held_out], guesses, truth)
    return 0 if accuracy >= 0.97 else 1


def show_mistakes(images: "torch.Tensor", guesses: "torch.Tensor", truth: "torch.Tensor", count: int = 4) -> None:
    """Print the first few misclassified digits side by side."""
    wrong = [i for i, (guess, true) in enumerate(zip(guesses.tolist(), truth.tolist())) if guess != true][:count]
    if not wrong:
        print("none is misclassified")
        return
    print("\nsome that it gets wrong:")
    print("  ".join(f"{f'a {truth[i].item()}, taken for {guesses[i].item()}':18}" for i in wrong).rstrip())
    for row in range(8):
        pixels = (images[i].reshape(8, 8)[row].tolist() for i in wrong)
        print("  ".join("".join(2 * SHADES[round(9 * p)] for p in line) + "  " for line in pixels).rstrip())


if __name__ == "__main__":
    sys.exit(main())
