def accuracy(epoch):
    return 1 - 0.5 ** epoch
