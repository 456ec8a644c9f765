/** Colours of parts, as `specs.color` and lights name them. */
export const tones = ['black', 'white', 'grey', 'red', 'blue', 'green', 'gold', 'brown', 'yellow', 'orange', 'pink', 'purple'] as const
export type Tone = (typeof tones)[number]

/** The palette of public/drawings (test/drawings.test.ts compares them). */
export const basePalette = `svg{color:#0f5d46;fill:none;stroke:currentColor;stroke-width:2.5;stroke-linecap:round;stroke-linejoin:round}
.t{stroke-width:1.5;stroke-opacity:.65}.b{stroke-width:5}.f,.s,.d{fill:currentColor}.f{fill-opacity:.1}.s{fill-opacity:.17}.d{fill-opacity:1}.s,.d,.n{stroke:none}.c.f{fill-opacity:.18}
.c{color:#b4561f}.g{color:#d6a53a}.p{fill:#fff}
@media(prefers-color-scheme:dark){svg{color:#7cc9ab}.c{color:#d9813f}.p{fill:#131c18}}
@media(forced-colors:active){svg{color:#76877f}}`

/** What drawings of parts need besides: lines for what is not known, text, and lines of dimensions. */
const additions = `.u{stroke-dasharray:5 5}.k{stroke-dasharray:2 3}.m{stroke-width:1.2}
text{fill:currentColor;stroke:none;font-family:ui-monospace,monospace;text-anchor:middle}`

/** By tone: the fill in the light and in the dark theme. Dark parts are lighter on paper than they are, so that their lines can be seen. */
const fills: Record<Tone, readonly [light: string, dark: string]> = {
  black: ['#1018146b', '#000000cc'],
  white: ['#ffffff', '#ffffff38'],
  grey: ['#4a5a5333', '#a9b5af4d'],
  red: ['#d4303059', '#e8555580'],
  blue: ['#2463c959', '#5590f080'],
  green: ['#2f9e4459', '#3fae5680'],
  gold: ['#d6a53a73', '#d6a53a80'],
  brown: ['#8a5a3059', '#a9764880'],
  yellow: ['#f0d02073', '#f0d02073'],
  orange: ['#f0872066', '#f0872080'],
  pink: ['#f075b073', '#f075b073'],
  purple: ['#8a40c859', '#a865e080'],
}

/** By tone: the line of a light, in both themes. */
const lights: Record<Tone, string> = {
  black: '#5b6b65',
  white: '#8fb3c4',
  grey: '#8a9792',
  red: '#dd4444',
  blue: '#3d7ff0',
  green: '#35a853',
  gold: '#d6a53a',
  brown: '#9a6a3c',
  yellow: '#d9b400',
  orange: '#ee8833',
  pink: '#ec77ad',
  purple: '#9a55dd',
}

/** The style of a drawing that uses these tones, as areas and as lights. */
export function paletteOf(areas: ReadonlySet<Tone>, lines: ReadonlySet<Tone>): string {
  const fillsOf = (theme: 0 | 1) => [...areas].map((tone) => `.${tone}{fill:${fills[tone][theme]}}`).join('')
  const areaRules = areas.size > 0 ? `\n${fillsOf(0)}\n@media(prefers-color-scheme:dark){${fillsOf(1)}}` : ''
  const lineRules = lines.size > 0 ? `\n${[...lines].map((tone) => `.${tone}-light{stroke:${lights[tone]}}`).join('')}` : ''
  return `${basePalette}\n${additions}${areaRules}${lineRules}`
}
