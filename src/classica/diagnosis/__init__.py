"""From evidence to findings: what is wrong, and what would help."""

from classica.diagnosis.diagnosing import Diagnosis as Diagnosis
from classica.diagnosis.diagnosing import diagnose as diagnose
from classica.diagnosis.finding import Finding as Finding
