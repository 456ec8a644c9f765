import type { Attributes } from '../attributes.ts'
import type { Sheet } from '../sheet.ts'
import type { Kind } from './kind.ts'
import { fan, millimetres } from './shared-shapes.ts'

/** Frames of several fans in a row are as wide as so many of these. */
const frames: Record<number, { size: number; count: number }> = {
  240: { size: 120, count: 2 },
  280: { size: 140, count: 2 },
  360: { size: 120, count: 3 },
  420: { size: 140, count: 3 },
}

/** More of a pack are not drawn one by one, but said. */
const shownInPack = 6
/** Of those further behind hardly more than the frame is seen. */
const drawnWhole = 3

export const caseFan: Kind = {
  span: { width: 240, height: 150 },
  draw(sheet, attributes) {
    const known = attributes.number('size_mm')
    const frame = frames[known ?? 0]
    const size = frame?.size ?? known ?? 120
    const quantity = attributes.count('quantity', 10)
    const count = frame ? frame.count : Math.min(quantity ?? 1, shownInPack)
    // those behind show their edges
    const step = frame ? size : count > 1 ? Math.min(size + 6, Math.max(size * 0.22, (300 - size) / count)) : size
    for (let nth = count - 1; nth >= 0; nth--)
      drawFan(sheet, attributes, {
        left: (count - 1 - nth) * step,
        size,
        isKnown: known !== undefined,
        isInFront: nth === 0,
        isWhole: nth === 0 || frame !== undefined,
        hasBlades: nth < drawnWhole,
      })
    const left = (count - 1) * step
    drawPlug(sheet, attributes, left + size, size)
    if (quantity !== undefined && quantity > 1)
      sheet.text(`${quantity} x`, [Math.max(30, left / 2), size + 16], { height: 26, width: 80 }).reserve(0, size + 28)
    sheet.dimension({ side: 'bottom', from: frame ? 0 : left, to: left + size, text: known === undefined ? undefined : millimetres(known) })
  },
}

type DrawnFan = { left: number; size: number; isKnown: boolean; isInFront: boolean; isWhole: boolean; hasBlades: boolean }

function drawFan(sheet: Sheet, attributes: Attributes, { left, size, isKnown, isInFront, isWhole, hasBlades }: DrawnFan) {
  const [main, accent] = attributes.colours
  const corner = size * 0.08
  const centre = [left + size / 2, size / 2] as const
  sheet.rect('p n', left, 0, size, size, corner)
  sheet.tinted(main, (classes) => sheet.rect(classes, left, 0, size, size, corner))
  sheet.rect(isKnown ? '' : 'u', left, 0, size, size, corner)
  sheet.rect('p n', left + size * 0.06, size * 0.06, size * 0.88, size * 0.88, size * 0.44)
  sheet.tinted(accent ?? main, (classes) => sheet.circle(classes, ...centre, size * 0.4))
  if (!hasBlades) return
  const inset = size * 0.08
  if (isInFront)
    sheet.circles('t', [
      [left + inset, inset, size * 0.03],
      [left + size - inset, inset, size * 0.03],
      [left + inset, size - inset, size * 0.03],
      [left + size - inset, size - inset, size * 0.03],
    ])
  const text = attributes.texts('color').join(' ')
  const isToldOfLight = attributes.isKnown('led') || attributes.isKnown('lighting')
  const light =
    attributes.light('led') ??
    attributes.light('lighting') ??
    (/RGB/.test(text) ? 'rainbow' : isToldOfLight ? undefined : attributes.lightOfName)
  fan(sheet, ...centre, size * 0.44, {
    isReverse: /reverse/i.test(attributes.text('flow_direction')),
    light,
    bladeLine: isWhole ? 'm' : 't',
  })
  if (isInFront) drawHub(sheet, attributes, centre, size * 0.44 * 0.3)
}

/** On the hub is the maker's sticker, or a screen. */
function drawHub(sheet: Sheet, attributes: Attributes, [x, y]: readonly [number, number], radius: number) {
  if (/\bLCD\b/.test(attributes.name))
    sheet.rect('p', x - radius * 1.5, y - radius * 1.5, radius * 3, radius * 3, radius * 0.5).lines('c', [
      [x - radius, y + radius * 0.5, x - radius * 0.2, y - radius * 0.5],
      [x - radius * 0.2, y - radius * 0.5, x + radius, y + radius * 0.3],
    ])
  else sheet.text(attributes.brand, [x, y], { height: radius * 0.7, width: radius * 1.8 })
}

/** The plug, with as many pins as it has. */
function drawPlug(sheet: Sheet, attributes: Attributes, x: number, size: number) {
  const connector = attributes.text('connector')
  const pins = Number(/^(\d)-pin/.exec(connector)?.[1] ?? 0)
  const y = size * 0.78
  if (pins === 0) {
    sheet.path('u', [
      ['M', x, y],
      ['L', x + 12, y],
    ])
    return
  }
  sheet
    .path('', [
      ['M', x, y],
      ['L', x + 10, y],
    ])
    .rect('c f', x + 10, y - pins * 1.5, 8, pins * 3)
  sheet.lines(
    't',
    Array.from({ length: pins }, (_, nth) => [x + 12, y - pins * 1.5 + 1.5 + nth * 3, x + 18, y - pins * 1.5 + 1.5 + nth * 3] as const),
  )
  if (/RGB/.test(connector))
    sheet
      .path('', [
        ['M', x, y - 14],
        ['L', x + 10, y - 14],
      ])
      .rect('g f', x + 10, y - 18.5, 8, 9)
}
