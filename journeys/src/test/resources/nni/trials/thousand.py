"""Reports after each of a thousand steps."""
import nni

nni.get_next_parameter()
for step in range(1000):
    nni.report_intermediate_result(step / 1000)
nni.report_final_result(0.999)
