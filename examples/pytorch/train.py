"""Fits a small network of PyTorch to a known function, on the GPU that the trial was given or on the processor."""

import nni
import torch

EPOCHS = 60
SAMPLES = 200_000
FEATURES = 64


def data(device):
    """Points and the values of a wave at them; the same in each trial."""
    torch.manual_seed(0)
    points = torch.randn(SAMPLES, FEATURES, device=device)
    direction = torch.randn(FEATURES, 1, device=device)
    return points, torch.sin(points @ direction)


def main():
    parameters = nni.get_next_parameter()
    device = torch.device('cuda' if torch.cuda.is_available() else 'cpu')
    print('on', torch.cuda.get_device_name(device) if device.type == 'cuda' else 'the processor', flush=True)
    points, wanted = data(device)
    width = int(parameters['width'])
    network = torch.nn.Sequential(
        torch.nn.Linear(FEATURES, width), torch.nn.ReLU(), torch.nn.Linear(width, 1)).to(device)
    optimizer = torch.optim.Adam(network.parameters(), lr=parameters['lr'])
    for epoch in range(EPOCHS):
        optimizer.zero_grad()
        loss = torch.nn.functional.mse_loss(network(points), wanted)
        loss.backward()
        optimizer.step()
        if epoch % 10 == 9:
            nni.report_intermediate_result(loss.item())
    nni.report_final_result(loss.item())


if __name__ == '__main__':
    main()
