"""A trial that has its objective evaluated by the process that searches: ``relay.py SOCKET``.

Lines of JSON on a Unix socket: it sends ``{"trial": …, "parameters": {…}}`` and is told ``{"report": value}`` any number of
times, then ``{"final": value}`` or ``{"error": text}``. A connection that ends means, on either side, that the trial is over.
"""

import json
import socket
import sys


def main(path):
    import nni
    parameters = nni.get_next_parameter()
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as link:
        try:
            link.connect(path)
        except OSError as error:
            sys.exit('the process that searches does not answer: %s (where trials run in a sandbox, pass on_server=True)' % error)
        lines = link.makefile('rw', encoding='utf-8', newline='\n')
        lines.write(json.dumps({'trial': nni.get_trial_id(), 'parameters': parameters}) + '\n')
        lines.flush()
        for line in lines:
            said = json.loads(line)
            if 'report' in said:
                nni.report_intermediate_result(said['report'])
            elif 'final' in said:
                nni.report_final_result(said['final'])
                return
            else:
                sys.stderr.write(said['error'])
                sys.exit(1)
    sys.exit('the process that searches has ended')


if __name__ == '__main__':
    main(sys.argv[1])
