"""Asks for parameters again where it needs them, and reports as it goes."""
import nni


def train():
    lr = nni.get_current_parameter('lr')
    for epoch in range(2):
        nni.report_intermediate_result(lr + epoch)
    return lr


nni.get_next_parameter()
nni.report_final_result(train())
