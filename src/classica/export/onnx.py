"""placeholder"""
from typing import Any
def can_be_onnx(program: Any) -> bool: return False
def program_onnx(program: Any) -> bytes: return b""
def run_onnx(*a: Any) -> list[Any]: return []
