"""Fails in the middle."""
import nni

nni.get_next_parameter()
for epoch in range(5):
    nni.report_intermediate_result(epoch)
    if epoch == 1:
        raise ValueError('loss is NaN')
nni.report_final_result(1)
