"""A choice that brings parameters of its own."""
import nni

params = nni.get_next_parameter()
optimizer = params['optimizer']
if optimizer['_name'] == 'sgd':
    nni.report_final_result(optimizer['momentum'])
else:
    nni.report_final_result(0)
