import type { Attributes } from '../attributes.ts'
import type { PathCommand, Sheet } from '../sheet.ts'
import type { Kind } from './kind.ts'
import { drawConnections, lightStrip, millimetres } from './shared-shapes.ts'

export const mouse: Kind = {
  span: { width: 180, height: 165 },
  draw(sheet, attributes) {
    const [stated] = attributes.objects('dimensions')
    const [length, width] = [stated?.length, stated?.width].map((one) =>
      typeof one === 'number' && one >= 30 && one <= 200 ? one : undefined,
    )
    const isKnown = length !== undefined && width !== undefined
    const [long, wide] = isKnown ? [Math.max(length, width), Math.min(length, width)] : [120, 64]
    const [left, top] = [40, 36]
    drawConnections(sheet, attributes.texts('connectivity'), {
      cable: [left + wide / 2, top],
      radio: [left - 16, top + 6],
      bluetooth: [2, 53],
    })
    const right = left + wide
    const bottom = top + long
    const outline: PathCommand[] = [
      ['M', left, top + long * 0.3],
      ['C', left, top - long * 0.08, right, top - long * 0.08, right, top + long * 0.3],
      ['C', right - wide * 0.06, top + long * 0.55, right + wide * 0.04, top + long * 0.7, right, top + long * 0.78],
      ['C', right - wide * 0.08, bottom + long * 0.06, left + wide * 0.08, bottom + long * 0.06, left, top + long * 0.78],
      ['C', left - wide * 0.04, top + long * 0.7, left + wide * 0.06, top + long * 0.55, left, top + long * 0.3],
      ['Z'],
    ]
    sheet.tinted(attributes.colours[0], (classes) => sheet.path(classes, outline))
    sheet.path('f', outline)
    drawFeatures(sheet, attributes, { left, top, long, wide })
    sheet.dimension({ side: 'right', from: top, to: bottom, text: isKnown ? millimetres(long) : undefined })
    sheet.dimension({ side: 'bottom', from: left, to: right, text: isKnown ? millimetres(wide) : undefined })
  },
}

/** Wheel or ball, sensor, light, further buttons. */
function drawFeatures(
  sheet: Sheet,
  attributes: Attributes,
  { left, top, long, wide }: { left: number; top: number; long: number; wide: number },
) {
  const [middle, right, bottom] = [left + wide / 2, left + wide, top + long]
  if (/trackball/i.test(attributes.text('sensor_type'))) {
    sheet.circle('c f', middle, top + long * 0.42, wide * 0.3).path('', [
      ['M', middle, top],
      ['L', middle, top + long * 0.14],
    ])
  } else {
    sheet.path('', [
      ['M', middle, top + 1],
      ['L', middle, top + long * 0.42],
      ['M', left, top + long * 0.42],
      ['Q', middle, top + long * 0.5, right, top + long * 0.42],
    ])
    sheet.rect('c f', middle - 4.5, top + long * 0.12, 9, long * 0.17, 4)
    const sensor = attributes.text('sensor_type')
    if (sensor === '') sheet.circle('u m', middle, top + long * 0.72, 6)
    else if (/laser/i.test(sensor))
      sheet.path('c', [
        ['M', middle - 6, top + long * 0.72],
        ['L', middle + 6, top + long * 0.72],
        ['M', middle, top + long * 0.67],
        ['L', middle, top + long * 0.77],
      ])
    else sheet.circle('c', middle, top + long * 0.72, 5)
  }
  if (/RGB/.test(attributes.texts('lighting').join(' ')) || attributes.is('rgb'))
    lightStrip(sheet, 'rainbow', left + wide * 0.2, right - wide * 0.2, bottom - long * 0.08)
  const buttons = attributes.count('buttons', 12)
  if (buttons !== undefined)
    sheet.rects(
      'f',
      Array.from({ length: Math.max(0, Math.min(6, buttons - 3)) }, (_, nth) => [
        left - 2,
        top + long * (0.34 + nth * 0.07),
        5,
        long * 0.05,
      ]),
    )
  const speed = attributes.number('max_dpi')
  if (speed !== undefined) sheet.text(`${speed} dpi`, [middle, top + long * 0.88], { height: 8, width: wide * 0.7 })
}
