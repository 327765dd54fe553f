"""Finds annotations in a file of Python, with what each is about."""

import ast

SAMPLERS = ('choice', 'randint', 'uniform', 'quniform', 'loguniform', 'qloguniform', 'normal', 'qnormal', 'lognormal', 'qlognormal')
CALLS = ('get_next_parameter', 'report_intermediate_result', 'report_final_result')


class Mistake(Exception):
    """An annotation that means nothing; says where and why."""


class Annotation:
    """One annotation.

    statement  the text's own
    following  the statement that it is about, None at the end of a block
    kind       'variable', 'function_choice', or one of CALLS
    name       of the parameter, None for CALLS
    options    of a choice: pairs of the value in the search space and the expression that it stands for
    spec       what the search space says of it, None for CALLS
    text       the expression, without the @
    """

    def __init__(self, file, statement, following):
        self.place = '%s, line %d' % (file, statement.lineno)
        self.statement = statement
        self.following = following
        self.text = statement.value.value.strip()[1:]
        self.name = self.spec = None
        self.options = []
        self.kind, call = self._call(self.text)
        if self.kind == 'variable':
            self._variable(call)
        elif self.kind == 'function_choice':
            self._functions(call)
        elif self.kind not in CALLS:
            raise self.mistake('@nni.%s is not known here: architecture search is not' % self.kind)

    def mistake(self, why):
        return Mistake('%s: %s' % (self.place, why))

    def _call(self, text):
        try:
            call = ast.parse(text, mode='eval').body
        except SyntaxError as error:
            raise self.mistake('@%s is no Python: %s' % (text, error.msg)) from None
        return self._function(call), call

    def _function(self, call):
        function = call.func if isinstance(call, ast.Call) else None
        if isinstance(function, ast.Attribute) and isinstance(function.value, ast.Name) and function.value.id == 'nni':
            return function.attr
        raise self.mistake('an annotation is a call such as @nni.variable(nni.choice(1, 2), name=x), this is @%s' % self.text)

    def _source(self, node):
        return ast.get_source_segment(self.text, node)

    def _named(self, call):
        names = [keyword.value for keyword in call.keywords if keyword.arg == 'name']
        if len(names) != 1 or len(call.keywords) != 1:
            raise self.mistake('@nni.%s has one keyword, name=' % self.kind)
        self.name = self._source(names[0])
        if self.following is None:
            raise self.mistake('no statement follows that could use %s' % self.name)

    def _variable(self, call):
        self._named(call)
        if len(call.args) != 1:
            raise self.mistake('@nni.variable has one sampler, such as nni.uniform(0, 1)')
        sampler = call.args[0]
        kind = self._function(sampler)
        if kind not in SAMPLERS:
            raise self.mistake('nni.%s is no sampler: there are %s' % (kind, ', '.join(SAMPLERS)))
        if kind == 'choice':
            self.options = [self._option(argument) for argument in sampler.args]
            values = [value for value, _ in self.options]
        else:
            values = [self._number(argument) for argument in sampler.args]
        self.spec = {'_type': kind, '_value': values}

    def _functions(self, call):
        self._named(call)
        if not call.args or any(isinstance(argument, ast.Starred) for argument in call.args):
            raise self.mistake('@nni.function_choice chooses among expressions, such as max_pool(x), avg_pool(x)')
        self.options = [(self._source(argument), self._source(argument)) for argument in call.args]
        self.spec = {'_type': 'choice', '_value': [value for value, _ in self.options]}

    def _option(self, node):
        """What is no constant stands in the search space as it is written."""
        source = self._source(node)
        try:
            return ast.literal_eval(node), source
        except ValueError:
            return source, source

    def _number(self, node):
        try:
            value = ast.literal_eval(node)
        except ValueError:
            value = None
        if isinstance(value, bool) or not isinstance(value, (int, float)):
            raise self.mistake('%s is not a number' % self._source(node))
        return value


def read(source, file):
    """All annotations of a file's text, in the order in which they stand."""
    if '@nni.' not in source:
        return []
    try:
        tree = ast.parse(source)
    except SyntaxError as error:
        raise Mistake('%s, line %s: this is no Python 3: %s' % (file, error.lineno, error.msg)) from None
    found = []
    for node in ast.walk(tree):
        for block in ('body', 'orelse', 'finalbody'):
            statements = getattr(node, block, None)
            if isinstance(statements, list):
                for at, statement in enumerate(statements):
                    if _is_annotation(statement):
                        following = statements[at + 1] if at + 1 < len(statements) else None
                        found.append(Annotation(file, statement, following))
    return sorted(found, key=lambda annotation: annotation.statement.lineno)


def _is_annotation(statement):
    value = statement.value if isinstance(statement, ast.Expr) else None
    return isinstance(value, ast.Constant) and isinstance(value.value, str) and value.value.strip().startswith('@nni.')
