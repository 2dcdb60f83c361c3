"""placeholder"""
class OneCardSearch:
    visits = 0
    def __init__(self, position): raise NotImplementedError
