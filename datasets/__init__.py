"""Rendered card tables with ground truth: what the models are trained and measured on.

Decks (drawn from fonts, or rasterised from card packages), fonts, backs and backgrounds are split into train,
validation and test before anything is rendered. Nothing here is needed to read a photo.

System packages that it uses: `librsvg2-bin` (turns card sheets into pixels), `gnome-cards-data` and
`kdegames-card-data-kf5` (card art), `fontconfig` and any number of `fonts-*` packages (`datasets/README.md` lists
those the models were trained with), `gnome-backgrounds` and `mate-backgrounds` (photographic backgrounds). What is
missing is done without; too few fonts to draw decks is an error that names a package.
"""
