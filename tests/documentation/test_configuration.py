"""The configuration reference is that of these settings."""

from tests.documentation.configuration_reference import PAGE, configuration_reference

from eval_worker.settings import Settings


def test_the_page_is_current():
    assert PAGE.read_text(encoding="utf-8") == configuration_reference(), "make configuration writes it anew"


def test_every_setting_is_on_it_once():
    lines = PAGE.read_text(encoding="utf-8").splitlines()
    assert [line.split()[1] for line in lines if line.startswith("| ") and "Setting" not in line] == [
        name.upper() for name in Settings.model_fields
    ]
