"""The look of the page: a quiet paper-and-ink theme with one teal accent, in light and dark."""

from __future__ import annotations

from typing import Any

# From worse to better: slate over teal to gold, told apart by lightness as well as by hue.
_SCALE_LIGHT = ("#c9ced6", "#a9b8c6", "#7fa7b5", "#4f9a9d", "#1f8a80", "#0b6b5c", "#b7791f")
_SCALE_DARK = ("#4a5562", "#4f6675", "#4b7885", "#43949a", "#38b2a3", "#5fd8bd", "#f2c14e")


def make_theme() -> Any:
    """The Gradio theme of the page."""
    import gradio as gr

    system = ["ui-sans-serif", "system-ui", "-apple-system", "Segoe UI", "Roboto", "sans-serif"]
    mono = ["ui-monospace", "SFMono-Regular", "Menlo", "DejaVu Sans Mono", "monospace"]
    return gr.themes.Base(
        primary_hue=gr.themes.colors.teal,
        secondary_hue=gr.themes.colors.amber,
        neutral_hue=gr.themes.colors.slate,
        radius_size=gr.themes.sizes.radius_md,
        font=system,
        font_mono=mono,
    ).set(
        body_background_fill="#f7f7f4",
        body_background_fill_dark="#11161c",
        block_background_fill="#ffffff",
        block_background_fill_dark="#182029",
        block_border_color="#e2e4e0",
        block_border_color_dark="#2a3440",
        block_shadow="none",
        block_label_background_fill="transparent",
        block_label_background_fill_dark="transparent",
        block_title_text_weight="600",
        block_title_text_color="#33414e",
        body_text_color_subdued="#52606d",
        body_text_color_subdued_dark="#a3b0bd",
        block_info_text_color="#52606d",
        block_info_text_color_dark="#a3b0bd",
        block_label_text_color="#52606d",
        block_label_text_color_dark="#a3b0bd",
        color_accent="#0f766e",
        slider_color="#0f766e",
        slider_color_dark="#2dd4bf",
        input_border_color="#c6ccc8",
        input_border_color_dark="#3a4653",
        input_border_width="1px",
        input_background_fill="#ffffff",
        input_background_fill_dark="#10161d",
        button_primary_background_fill="#0f766e",
        button_primary_background_fill_hover="#115e59",
        button_primary_background_fill_dark="#0f766e",
        button_primary_background_fill_hover_dark="#115e59",
        button_primary_text_color="#ffffff",
        button_primary_text_color_dark="#ffffff",
    )


def _variables(scale: tuple[str, ...], **colours: str) -> str:
    levels = {f"l{index}": colour for index, colour in enumerate(scale)}
    return "".join(f"--lhs-{name}:{colour};" for name, colour in {**levels, **colours}.items())


_LIGHT = _variables(
    _SCALE_LIGHT,
    ink="#16202a",
    muted="#52606d",
    line="#d5d9d3",
    found="#0f766e",
    corpus="#9a5b0b",
    good="#0b6b43",
    bad="#a32020",
    tile="#f3f4f0",
    word="#0f5f8a",
    text="#7a4a00",
    figure="#9d174d",
    name="#0b6b43",
)
_DARK = _variables(
    _SCALE_DARK,
    ink="#e6ebf0",
    muted="#a3b0bd",
    line="#313c48",
    found="#4fd1bd",
    corpus="#f0b45a",
    good="#6ee7a8",
    bad="#ff9c9c",
    tile="#10161d",
    word="#7cc7ff",
    text="#f0b45a",
    figure="#f9a8d4",
    name="#6ee7a8",
)
_LEVELS = "".join(
    f".lhs-s{level}{{fill:var(--lhs-l{level})}}.lhs-b{level}{{background:var(--lhs-l{level})}}" for level in range(7)
)

# Gradio puts `.dark` in front of every selector of a list that names it: no list mixes both themes.
CSS = (
    f":root,.light{{{_LIGHT}}}.dark{{{_DARK}--color-accent:#2dd4bf;}}{_LEVELS}"
    + """
.gradio-container{max-width:min(1560px,100vw)!important;min-width:0!important;
 margin:0 auto!important;padding:clamp(10px,1.6vw,20px)!important;color:var(--lhs-ink);
 box-sizing:border-box}
.gradio-container main.fillable,.gradio-container .main{padding:8px!important;width:100%!important;
 max-width:none!important}
.lhs-head h1{font-size:1.7rem;line-height:1.2;font-weight:700;margin:0 0 .35rem;letter-spacing:-.02em}
.lhs-head p{margin:0;max-width:72ch;color:var(--lhs-muted);line-height:1.5}
.lhs-card{padding:14px 16px!important;background:var(--block-background-fill)!important;
 border:1px solid var(--block-border-color)!important;border-radius:10px!important;overflow:hidden;gap:6px!important}
.lhs-card .block,.lhs-card .html-container{padding:0!important}
#lhs-run,#lhs-stop{min-height:44px;flex-shrink:0}
#lhs-task input,#lhs-corpus-task input,#lhs-optimizer input{padding-right:26px;text-overflow:ellipsis}
.gradio-container input[type=range]::-webkit-slider-thumb{border:2px solid var(--lhs-found)}
.lhs-card h3{margin:0 0 8px;font-size:.95rem;font-weight:600}
.lhs-hidden{display:none!important}
.lhs-muted{color:var(--lhs-muted)}
.lhs-status h2{font-size:1.15rem;font-weight:650;margin:0 0 4px}
.lhs-status p{margin:0 0 8px;line-height:1.45;max-width:100ch}
.lhs-stage.lhs-busy{color:var(--lhs-found)}.lhs-stage.lhs-good{color:var(--lhs-good)}
.lhs-stage.lhs-bad{color:var(--lhs-bad)}
.lhs-status progress{width:100%;height:8px;appearance:none;border:0;border-radius:4px;background:var(--lhs-line);
 overflow:hidden;display:block}
.lhs-status progress::-webkit-progress-bar{background:var(--lhs-line)}
.lhs-status progress::-webkit-progress-value{background:var(--lhs-found)}
.lhs-status progress::-moz-progress-bar{background:var(--lhs-found)}
.lhs-tiles{display:grid;grid-template-columns:repeat(auto-fit,minmax(130px,1fr));gap:8px;margin:12px 0 0}
.lhs-tile{background:var(--lhs-tile);border-radius:8px;padding:8px 12px}
.lhs-tile dt{font-size:.78rem;color:var(--lhs-muted)}
.lhs-tile dd{margin:0;font-size:1.15rem;font-weight:650;font-variant-numeric:tabular-nums;overflow-wrap:anywhere}
.lhs-tile small{display:block;font-size:.76rem;font-weight:400;color:var(--lhs-muted)}
.lhs-svg{width:100%;height:auto;display:block;overflow:visible}
.lhs-svg text{font-family:inherit;font-size:13px;fill:var(--lhs-ink);font-variant-numeric:tabular-nums}
.lhs-svg .lhs-quiet{fill:var(--lhs-muted)}
.lhs-axis{stroke:var(--lhs-line);stroke-width:1.2}
.lhs-line{stroke-width:1.5;fill:none}
.lhs-line.lhs-reference{stroke:var(--lhs-muted);stroke-dasharray:7 4}
.lhs-line.lhs-corpus{stroke:var(--lhs-corpus);stroke-dasharray:10 3 2 3}
.lhs-line.lhs-bound{stroke:var(--lhs-ink);stroke-dasharray:2 4}
.lhs-svg .lhs-reference-text{fill:var(--lhs-muted)}.lhs-svg .lhs-corpus-text{fill:var(--lhs-corpus)}
.lhs-incumbent{fill:none;stroke:var(--lhs-found);stroke-width:2.6;stroke-linejoin:round}
.lhs-now{fill:var(--lhs-found);stroke:var(--block-background-fill);stroke-width:1.5}
.lhs-dot{fill:var(--lhs-found);opacity:.35}
.lhs-point{opacity:.75}
.lhs-svg [data-row]{cursor:pointer}
.lhs-svg [data-row]:hover,.lhs-svg .lhs-at{stroke:var(--lhs-ink);stroke-width:2.5;opacity:1}
.lhs-step{stroke:var(--lhs-muted);stroke-width:1;opacity:.45;fill:none}
.lhs-step-now{stroke:var(--lhs-ink);stroke-width:1.8;opacity:.9}
.lhs-child{stroke:var(--lhs-ink);stroke-width:1}
.lhs-new{stroke-width:2}
.lhs-failed{fill:var(--block-background-fill);stroke:var(--lhs-bad);stroke-width:1.6}
.lhs-coming{fill:var(--block-background-fill);stroke:var(--lhs-ink);stroke-width:1.6;stroke-dasharray:2 2}
.lhs-aim{fill:var(--block-background-fill);fill-opacity:.4;stroke:var(--lhs-ink);stroke-width:1.2}
.lhs-mark{fill:var(--lhs-found);stroke:var(--block-background-fill);stroke-width:1}
.lhs-what{font-size:.8rem;line-height:1.4;margin:6px 0 0}
.lhs-ranks{margin:12px 0 0}.lhs-square{max-width:340px}.lhs-ranks figcaption{font-size:.82rem;color:var(--lhs-muted)}
.lhs-unseen{position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%);white-space:nowrap;margin:0}
#lhs-live{position:absolute;padding:0!important;border:0!important;min-width:0!important}
.lhs-verdict{font-size:1.2rem;font-weight:650;line-height:1.35;margin:0 0 8px;min-height:2.7em}
.lhs-verdict.lhs-is-awaited{color:var(--lhs-muted);font-weight:400}
.lhs-verdict.lhs-is-better{color:var(--lhs-good)}
.lhs-verdict.lhs-is-known,.lhs-verdict.lhs-is-below{color:var(--lhs-corpus)}
.lhs-opened h3{display:flex;flex-wrap:wrap;gap:6px;align-items:center}
.lhs-facts{display:flex;flex-wrap:wrap;gap:4px 20px;margin:0 0 8px}
.lhs-facts dt{font-size:.78rem;color:var(--lhs-muted)}
.lhs-facts dd{margin:0;font-weight:600;font-variant-numeric:tabular-nums;overflow-wrap:anywhere}
.lhs-error{white-space:pre-wrap;overflow-wrap:anywhere;max-height:240px;overflow:auto;padding:10px 12px;
 border-radius:8px;background:var(--lhs-tile);border-left:3px solid var(--lhs-bad);
 font-family:var(--font-mono);font-size:.82rem}
.lhs-line-of{list-style:none;display:flex;flex-wrap:wrap;gap:4px 14px;margin:0;padding:0;font-size:.85rem}
.lhs-line-of li:not(:last-child)::after{content:" →";color:var(--lhs-muted)}
.lhs-line-of button{text-decoration:underline;font-weight:600;color:var(--lhs-found);min-width:24px;min-height:24px}
.lhs-code{margin:0}.lhs-code figcaption{display:flex;justify-content:space-between;font-size:.85rem;
 color:var(--lhs-muted);margin-bottom:6px}
.lhs-code button{color:var(--lhs-found);text-decoration:underline;min-width:48px;min-height:24px}
.lhs-code pre{font-family:var(--font-mono);font-size:.82rem;line-height:1.5;overflow:auto;max-height:480px;margin:0;
 padding:12px;background:var(--lhs-tile);border-radius:8px;color:var(--lhs-ink)}
.lhs-c-k,.lhs-c-kn,.lhs-c-kc,.lhs-c-ow{color:var(--lhs-word)}.lhs-c-s2,.lhs-c-s1,.lhs-c-sd,.lhs-c-sa{color:var(--lhs-text)}
.lhs-c-mi,.lhs-c-mf{color:var(--lhs-figure)}.lhs-c-nf,.lhs-c-nc,.lhs-c-nb{color:var(--lhs-name)}
.lhs-c-c1{color:var(--lhs-muted)}
.min_value,.max_value{color:var(--lhs-muted)!important}
.lhs-own pre{overflow:auto;padding:12px;border-radius:8px;background:var(--lhs-tile);font-size:.85rem}
.lhs-own p{max-width:80ch;line-height:1.5}.lhs-own h2{font-size:1.15rem;font-weight:650}
.lhs-pair{margin:8px 0 0;max-width:640px}.lhs-incumbent.lhs-search-b{stroke:var(--lhs-corpus);stroke-dasharray:7 3}
.lhs-origin-edit,.lhs-origin-recombined,.lhs-origin-transferred{color:var(--lhs-corpus)}
.lhs-origin-latent,.lhs-origin-decoded{color:var(--lhs-found)}
.lhs-ring{fill:none;stroke:var(--lhs-ink);stroke-width:2.2}
.lhs-svg .lhs-letter{font-weight:700;font-size:16px}
.gradio-container input:focus-visible,.gradio-container textarea:focus-visible,
.gradio-container label:has(input[type=radio]:focus-visible){
 outline:3px solid var(--lhs-found)!important;outline-offset:2px}
.lhs-svg:focus-visible,.lhs-scroll:focus-visible,pre:focus-visible,summary:focus-visible{
 outline:3px solid var(--lhs-found);outline-offset:2px}
.lhs-legend{list-style:none;display:flex;flex-wrap:wrap;gap:4px 16px;margin:8px 0 0;padding:0;font-size:.8rem;
 color:var(--lhs-muted)}
.lhs-legend li{display:flex;align-items:center;gap:5px;margin:0}
.lhs-key{display:inline-block;width:12px;height:12px;border-radius:3px}
.lhs-key-found,.lhs-key-reference,.lhs-key-corpus,.lhs-key-bound,.lhs-key-step{height:0;width:20px;border-radius:0;
 border-top:2px solid var(--lhs-found)}
.lhs-key-found{border-top-width:3px}.lhs-key-reference{border-top:2px dashed var(--lhs-muted)}
.lhs-key-corpus{border-top:2px dashed var(--lhs-corpus)}.lhs-key-bound{border-top:2px dotted var(--lhs-ink)}
.lhs-key-step{border-top-color:var(--lhs-ink)}
.lhs-key-aim{border-radius:50%;border:1.6px solid var(--lhs-ink)}
.lhs-key-child{border-radius:50%;background:var(--lhs-l4);border:1px solid var(--lhs-ink)}
.lhs-key-failed{border-radius:50%;border:2px solid var(--lhs-bad)}
.lhs-scroll{overflow:auto;max-height:420px;border:1px solid var(--block-border-color);border-radius:8px}
.lhs-table{border-collapse:collapse;width:100%;font-size:.85rem;font-variant-numeric:tabular-nums}
.lhs-table caption{text-align:left;padding:8px 10px;color:var(--lhs-muted)}
.lhs-table th{position:sticky;top:0;background:var(--lhs-tile);text-align:left;font-weight:600;padding:6px 10px;
 white-space:nowrap}
.lhs-table td{padding:5px 10px;border-top:1px solid var(--block-border-color);white-space:nowrap}
.lhs-table .lhs-message{max-width:360px;overflow:hidden;text-overflow:ellipsis;color:var(--lhs-muted)}
.lhs-table .lhs-best td{font-weight:650;background:color-mix(in srgb,var(--lhs-found) 12%,transparent)}
.lhs-badge{display:inline-block;padding:0 8px;border-radius:99px;font-size:.78rem;font-weight:600;
 border:1px solid currentColor}
.lhs-badge.lhs-good,.lhs-box.lhs-good strong{color:var(--lhs-good)}.lhs-badge.lhs-bad{color:var(--lhs-bad)}
.lhs-box{margin:0;padding:10px 12px;border-radius:8px;background:var(--lhs-tile);line-height:1.5;overflow-wrap:anywhere}
.lhs-box.lhs-bad{border-left:3px solid var(--lhs-bad)}.lhs-box.lhs-good{border-left:3px solid var(--lhs-good)}
.lhs-diff{margin:0}.lhs-diff figcaption{font-size:.85rem;color:var(--lhs-muted);margin-bottom:6px}
.lhs-diff pre,.lhs-between pre{font-family:var(--font-mono);font-size:.82rem;line-height:1.5;overflow:auto;margin:0;
 padding:10px 0;background:var(--lhs-tile);border-radius:8px}
.lhs-between pre{padding:10px 12px}
.lhs-diff span{display:block;padding:0 12px;white-space:pre}
.lhs-added{background:color-mix(in srgb,var(--lhs-good) 18%,transparent)}
.lhs-removed{background:color-mix(in srgb,var(--lhs-bad) 16%,transparent)}
.lhs-between{border:1px solid var(--block-border-color);border-radius:8px;margin-top:6px;padding:8px 12px}
.lhs-between summary{cursor:pointer;overflow-wrap:anywhere}
.lhs-picture{max-width:100%;height:auto;display:none;margin:0 auto}
.lhs-light-wide{display:block}
.dark .lhs-light-wide{display:none}
.dark .lhs-dark-wide{display:block}
@media (max-width:640px){
 .lhs-card{padding:10px 12px!important}
 .lhs-svg text{font-size:19px}
 .lhs-head h1{font-size:1.35rem}
 .lhs-tiles{grid-template-columns:repeat(2,minmax(0,1fr))}
 .lhs-tile small{min-height:2.6em}
 .lhs-status .lhs-verdict{font-size:1.05rem;min-height:8.1em}
 .lhs-light-wide{display:none}
 .lhs-light-narrow{display:block}
 .dark .lhs-dark-wide{display:none}
 .dark .lhs-light-narrow{display:none}
 .dark .lhs-dark-narrow{display:block}
}
@media (prefers-reduced-motion:no-preference){.lhs-coming{animation:lhs-pulse 1.1s ease-in-out infinite alternate}
 @keyframes lhs-pulse{from{opacity:.35}to{opacity:1}}}
"""
)

# The button of a program puts its text into the clipboard.
COPY_SCRIPT = """
element.addEventListener('click', (event) => {
  const button = event.target.closest('[data-copy]');
  if (!button) return;
  navigator.clipboard?.writeText(element.querySelector('pre').textContent);
  button.textContent = 'Copied';
});
"""

# Clicks and keys of pictures with marks to choose: one listener on the component, so that a new drawing needs none.
MARKS_SCRIPT = """
const keys = ['ArrowRight', 'ArrowUp', 'ArrowLeft', 'ArrowDown', 'Home', 'End', 'Enter', ' '];
const marks = () => [...element.querySelectorAll('svg [data-row]')];
let at = null;
const say = (text) => {
  const live = document.querySelector('#lhs-live p');
  if (live && text) live.textContent = text;
};
const show = (mark) => {
  marks().forEach((other) => other.classList.toggle('lhs-at', other === mark));
  say(mark?.dataset.says);
};
element.addEventListener('click', (event) => {
  const mark = event.target.closest('[data-row]');
  if (mark) { at = mark.dataset.row; show(mark); trigger('select', {row: Number(at)}); }
});
element.addEventListener('keydown', (event) => {
  const all = marks();
  if (!event.target.closest('svg') || !all.length || !keys.includes(event.key)) return;
  event.preventDefault();
  let place = all.findIndex((mark) => mark.dataset.row === at);
  if (event.key === 'Enter' || event.key === ' ') {
    if (place >= 0) trigger('select', {row: Number(at)});
    return;
  }
  if (event.key === 'Home') place = 0;
  else if (event.key === 'End') place = all.length - 1;
  else if (place < 0) place = all.length - 1;
  else place += event.key === 'ArrowRight' || event.key === 'ArrowUp' ? 1 : -1;
  place = Math.max(0, Math.min(all.length - 1, place));
  at = all[place].dataset.row;
  show(all[place]);
});
"""

# The new file's address is on the page one drawing after the event.
CLICK_SCRIPT = "() => requestAnimationFrame(() => setTimeout(() => document.querySelector('#NAME')?.click(), 50))"
# On a phone the progress lies below the controls.
TO_PROGRESS_SCRIPT = """() => {
  const card = document.querySelector('#lhs-status-box'), top = card?.getBoundingClientRect().top ?? 0;
  if (top < 0 || top > innerHeight / 2) card.scrollIntoView({block: 'start'});
}"""
# A finished search has a link of its own; before, it is the form's. What moves latent points counts for these alone.
COPY_LINK_SCRIPT = """(task, budget, proposals, space, optimizer, radius, seed, init) => {
  const settings = {task, budget, seed: seed ?? 0, proposals, init};
  if (proposals === 'latent') Object.assign(settings, {space, optimizer, radius});
  const link = new URL(location.pathname, location.origin);
  link.search = document.querySelector('#lhs-status-box [data-link]')?.dataset.link ?? new URLSearchParams(settings);
  navigator.clipboard?.writeText(link.href);
  document.querySelector('#lhs-live p').textContent = `Copied: ${link.href}`;
}"""
