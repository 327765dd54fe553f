"""Several metrics in one."""
import nni

nni.get_next_parameter()
for epoch in range(3):
    nni.report_intermediate_result({'default': 0.1 * epoch, 'loss': 1.0 / (epoch + 1), 'note': "it's fine"})
nni.report_final_result({'default': 0.75, 'loss': 0.25})
