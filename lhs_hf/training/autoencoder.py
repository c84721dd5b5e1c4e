"""The old name of `lhs_hf.training.autoencoder_trainer`."""

from .._moved import moved

_NAMES = {
    "AutoencoderSettings": "lhs_hf.training.autoencoder_config.AutoencoderTrainingConfig",
    "LHSAutoencoder": "lhs_hf.training.autoencoder_model.LHSAutoencoder",
    "tiny_decoder_config": "lhs_hf.training.autoencoder_model.tiny_decoder_config",
}
__getattr__ = moved(__name__, "lhs_hf.training.autoencoder_trainer", _NAMES)
