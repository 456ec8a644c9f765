import type { PathCommand } from '../sheet.ts'
import type { Kind } from './kind.ts'

const inch = 25.4

/** From the front, with what its screen shows: how many pixels, how often. A curved one has bent edges. */
export const monitor: Kind = {
  span: { width: 730, height: 520 },
  draw(sheet, attributes) {
    const known = attributes.number('size_in')
    const [across = 16, down = 9] = /^(\d+):(\d+)$/.exec(attributes.text('aspect'))?.slice(1).map(Number) ?? []
    const isShapeKnown = attributes.text('aspect') !== '' && across > 0 && down > 0 && across / down < 5 && down / across < 5
    const [w, h] = isShapeKnown ? [across, down] : [16, 9]
    const diagonal = (known ?? 24) * inch
    const width = (diagonal * w) / Math.hypot(w, h)
    const height = (diagonal * h) / Math.hypot(w, h)
    const bezel = 14
    const [right, bottom] = [width + bezel * 2, height + bezel * 2]
    const bend = attributes.is('curved') ? Math.min(30, width * 0.045) : 0
    const frame = (inset: number): PathCommand[] => [
      ['M', inset, inset],
      ['Q', right / 2, inset + bend * 2, right - inset, inset],
      ['L', right - inset, bottom - inset],
      ['Q', right / 2, bottom - inset - bend * 2, inset, bottom - inset],
      ['Z'],
    ]
    const outline = known === undefined || !isShapeKnown ? 'u' : ''
    sheet.rect('f', right / 2 - 25, bottom - bend, 50, 62).rect('f', right / 2 - 110, bottom + 58, 220, 16, 6)
    sheet.path('p', frame(0))
    sheet.tinted(attributes.colours[0], (classes) => sheet.path(classes, frame(0)))
    sheet.path(outline, frame(0)).path('p', frame(bezel)).path('f', frame(bezel))
    const accent = attributes.colours[1]
    sheet.tinted(accent, (classes) => sheet.rect(classes, right / 2 - 60, bottom - bezel, 120, bezel))
    const resolution = attributes.text('resolution').replace(/x/, ' x ')
    const rate = attributes.number('refresh_hz')
    sheet.text(resolution, [right / 2, bottom * 0.42], { height: height * 0.16, width: width * 0.7 })
    sheet.text([rate === undefined ? '' : `${rate} Hz`, attributes.text('panel')].filter(Boolean).join(' '), [right / 2, bottom * 0.66], {
      height: height * 0.11,
      width: width * 0.6,
    })
    sheet.lines('t', [
      [bezel * 2, bezel * 4 + bend, bezel * 4.5, bezel * 2 + bend],
      [bezel * 2, bezel * 6 + bend, bezel * 6.5, bezel * 2 + bend],
    ])
    sheet.dimension({
      side: 'bottom',
      from: bezel,
      to: bezel + width,
      text: known === undefined || !isShapeKnown ? undefined : `${known} in diagonal, ${Math.round(width)} mm wide`,
    })
    sheet.dimension({
      side: 'right',
      from: bezel,
      to: bezel + height,
      text: known === undefined || !isShapeKnown ? undefined : `${Math.round(height)} mm`,
    })
  },
}
