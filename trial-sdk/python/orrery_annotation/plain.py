"""Code without annotations that does the same: it asks for its parameters as NNI's users do since version 3."""

import ast


def code(source, annotations):
    """The text of a file with each annotation made plain code, everything else as it was."""
    if not annotations:
        return source
    text = _Text(source)
    for annotation in annotations:
        if annotation.kind == 'variable':
            text.drop(annotation.statement)
            text.put(_assigned(annotation), _chosen(annotation))
        elif annotation.kind == 'function_choice':
            text.drop(annotation.statement)
            for place in _places(annotation):
                text.put(place, _chosen(annotation) + '()')
        else:
            text.put(annotation.statement, annotation.text)
    tree = ast.parse(source)
    if not any(isinstance(node, ast.Import) and any(name.name == 'nni' for name in node.names) for node in tree.body):
        text.insert(_beginning(tree), 'import nni\n')
    return text.changed()


def _assigned(annotation):
    statement = annotation.following
    targets = getattr(statement, 'targets', None) or [getattr(statement, 'target', None)]
    if not isinstance(statement, (ast.Assign, ast.AnnAssign)) or statement.value is None or len(targets) != 1 \
            or ast.dump(targets[0]) != _dump(annotation.name, ast.Store()):
        raise annotation.mistake('the statement that follows must be an assignment to %s' % annotation.name)
    return statement.value


def _places(annotation):
    """The expressions of the statement that follows in whose place the chosen one comes.

    These are the ones that stand among the choices, as in NNI; where none does, the one call of the function that the parameter is
    named after, if all choices are calls.
    """
    options = [ast.parse(source, mode='eval').body for _, source in annotation.options]
    places = list(_equal(annotation.following, {ast.dump(option) for option in options}))
    if not places and all(isinstance(option, ast.Call) for option in options):
        wanted = _dump(annotation.name, ast.Load())
        places = [node for node in ast.walk(annotation.following) if isinstance(node, ast.Call) and ast.dump(node.func) == wanted]
        if len(places) > 1:
            raise annotation.mistake('the statement that follows must call %s once' % annotation.name)
    if not places:
        raise annotation.mistake('the statement that follows must contain one of the choices: %s'
                                 % ', '.join(source for _, source in annotation.options))
    return places


def _equal(node, dumps):
    """The outermost expressions that are one of those."""
    if isinstance(node, ast.expr) and ast.dump(node) in dumps:
        yield node
        return
    for child in ast.iter_child_nodes(node):
        yield from _equal(child, dumps)


def _dump(name, context):
    node = ast.parse(name, mode='eval').body
    node.ctx = context
    return ast.dump(node)


def _chosen(annotation):
    parameter = 'nni.get_current_parameter(%r)' % annotation.name
    if annotation.kind == 'function_choice':
        return '{%s}[%s]' % (', '.join('%r: lambda: %s' % option for option in annotation.options), parameter)
    if all(value != source for value, source in annotation.options):
        return parameter
    return '{%s}[%s]' % (', '.join('%r: %s' % option for option in annotation.options), parameter)


def _beginning(tree):
    """The line before which the first import may stand, from 1."""
    line = 1
    for at, node in enumerate(tree.body):
        docstring = at == 0 and isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) \
            and isinstance(node.value.value, str) and not node.value.value.strip().startswith('@nni.')
        future = isinstance(node, ast.ImportFrom) and node.module == '__future__'
        if not docstring and not future:
            break
        line = node.end_lineno + 1
    return line


class _Text:
    """A text that is changed at places that were found before; columns count bytes, as in Python's trees."""

    def __init__(self, source):
        self.bytes = source.encode('utf-8')
        self.lines = [0]
        for line in self.bytes.splitlines(keepends=True):
            self.lines.append(self.lines[-1] + len(line))
        self.edits = []

    def _offset(self, line, column):
        return self.lines[line - 1] + column

    def put(self, node, text):
        self.edits.append((self._offset(node.lineno, node.col_offset), self._offset(node.end_lineno, node.end_col_offset), text))

    def drop(self, node):
        """The whole lines of a statement, when nothing else is on them."""
        start, end = self.lines[node.lineno - 1], self.lines[min(node.end_lineno, len(self.lines) - 1)]
        around = self.bytes[start:self._offset(node.lineno, node.col_offset)] + self.bytes[self._offset(node.end_lineno, node.end_col_offset):end]
        if around.strip():
            self.put(node, 'pass')
        else:
            self.edits.append((start, end, ''))

    def insert(self, line, text):
        at = self.lines[min(line - 1, len(self.lines) - 1)]
        self.edits.append((at, at, text))

    def changed(self):
        result = self.bytes
        for start, end, text in sorted(self.edits, key=lambda edit: edit[0], reverse=True):
            result = result[:start] + text.encode('utf-8') + result[end:]
        return result.decode('utf-8')
