import type { Attributes } from '../attributes.ts'
import type { Box, Sheet } from '../sheet.ts'
import type { Kind } from './kind.ts'
import { contacts, fan, millimetres } from './shared-shapes.ts'

/** mm, of the PCI Express card electromechanical specification: pitch of slots, height of a card and its bracket. */
const slotPitch = 20.32
const height = 111
const bracketHeight = 120
const gap = 16

/** Bracket with its outputs, the side with the fans, and below it the edge with the slots that it takes. */
export const graphicsCard: Kind = {
  span: { width: 400, height: 205 },
  draw(sheet, attributes) {
    const slots = attributes.number('slots_exact') ?? attributes.number('slots')
    const known = attributes.number('length_mm')
    const length = known ?? 240
    const thickness = (slots ?? 2) * slotPitch
    const left = thickness + gap
    drawBracket(sheet, attributes, thickness, slots !== undefined)
    drawFace(sheet, attributes, left, length, known !== undefined)
    const top = bracketHeight + gap
    drawEdge(sheet, attributes, [left, top], length, thickness, slots !== undefined)
    sheet.dimension({ side: 'bottom', from: left, to: left + length, text: known === undefined ? undefined : millimetres(known) })
    sheet.dimension({
      side: 'right',
      from: top,
      to: top + thickness,
      text: slots === undefined ? undefined : `${slots} ${slots === 1 ? 'slot' : 'slots'}`,
    })
  },
}

/** Outputs by the beginning of their names in `choiceForm`: width and height in mm. */
const outputShapes: [name: RegExp, width: number, height: number, classes: string][] = [
  [/^(mini)?hdmi/, 6, 15, 'f'],
  [/^(mini)?(displayport|dp)/, 6, 17, 'c f'],
  [/^dvi/, 8, 37, 'f'],
  [/^vga/, 8, 30, 's'],
  [/^usb/, 5, 10, 'g'],
]

/** mm: of the outline in the place of outputs that are not known. */
const unknownOutputsHeight = 58

function drawBracket(sheet: Sheet, attributes: Attributes, width: number, isKnown: boolean) {
  sheet.rect(isKnown ? 'f' : 'f u', 0, 0, width, bracketHeight, 2)
  const columns = Math.max(1, Math.floor(width / slotPitch))
  const free = Array.from({ length: columns }, () => 6)
  const outputs = attributes.counted('outputs', 10)
  if (!outputs) {
    sheet.rect('u m', 6, 8, columns * slotPitch - 12, unknownOutputsHeight, 2)
    free.fill(8 + unknownOutputsHeight)
  }
  for (const name of outputs ?? []) {
    const [, w = 6, h = 12, classes = 'f'] = outputShapes.find(([pattern]) => pattern.test(name)) ?? []
    const column = free.findIndex((y) => y + h <= bracketHeight - 4)
    const y = free[column]
    if (y === undefined) break
    sheet.rect(classes, column * slotPitch + 6, y, w, h, 1.5)
    free[column] = y + h + 5
  }
  const vents = free.flatMap((y, column): [number, number, number, number][] =>
    bracketHeight - y < 20
      ? []
      : [
          [column * slotPitch + 7, y + 6, column * slotPitch + 7, bracketHeight - 8],
          [column * slotPitch + 13, y + 6, column * slotPitch + 13, bracketHeight - 8],
        ],
  )
  sheet.lines('t', vents)
}

function drawFace(sheet: Sheet, attributes: Attributes, left: number, length: number, isKnown: boolean) {
  const [main, accent] = attributes.colours
  const body = (classes: string) => sheet.rect(classes, left, 4, length, height - 11, 6)
  sheet.tinted(main, body)
  body(isKnown ? 'f' : 'f u')
  sheet.rect('f', left + 40, height - 7, 86, 11)
  contacts(sheet, left + 43, left + 123, [height - 4, height + 2], 5)
  sheet.tinted(accent, (classes) => sheet.rect(classes, left + 5, 9, length - 10, 6).rect(classes, left + 5, height - 17, length - 10, 5))
  drawCooling(sheet, attributes, left, length)
}

function drawCooling(sheet: Sheet, attributes: Attributes, left: number, length: number) {
  const cooling = attributes.text('cooling')
  const middle = 4 + (height - 11) / 2
  if (/water/i.test(cooling) || /hybrid/i.test(cooling)) {
    sheet.rect('c f', left + length * 0.42, middle - 26, 52, 52, 8)
    sheet.path('c', [
      ['M', left + length * 0.42 + 16, middle - 26],
      ['L', left + length * 0.42 + 16, 4],
      ['M', left + length * 0.42 + 36, middle - 26],
      ['L', left + length * 0.42 + 36, 4],
    ])
  }
  if (/passive/i.test(cooling) || attributes.number('fan_count') === 0) {
    const fins = Math.max(4, Math.floor((length - 30) / 9))
    sheet.lines(
      't',
      Array.from({ length: fins }, (_, nth) => [left + 15 + nth * 9, 14, left + 15 + nth * 9, height - 17] as const),
    )
    return
  }
  if (/water/i.test(cooling)) return
  if (/blower/i.test(cooling)) {
    fan(sheet, left + length - 45, middle, 34, { blades: 15 })
    sheet.lines(
      't',
      [0, 1, 2, 3, 4].map((nth) => [left + 18, 26 + nth * 14, left + length - 92, 26 + nth * 14] as const),
    )
    return
  }
  const hybrid = /hybrid/i.test(cooling)
  const fans = attributes.count('fan_count', 4) ?? Number(/^\d/.exec(cooling)?.[0] ?? 0)
  if (fans === 0) {
    // the number of fans is not known
    sheet.circle('u', left + length / 2, middle, 36)
    return
  }
  const radius = Math.min(45, (length - 14) / fans / 2 - 2)
  for (let nth = 0; nth < fans; nth++) {
    const x = hybrid && fans === 1 ? left + length - radius - 10 : left + (length * (nth + 0.5)) / fans
    fan(sheet, x, middle, radius)
  }
}

function drawEdge(
  sheet: Sheet,
  attributes: Attributes,
  [left, top]: readonly [number, number],
  length: number,
  thickness: number,
  isKnown: boolean,
) {
  sheet.tinted(attributes.colours[0], (classes) => sheet.rect(classes, left, top, length, thickness, 3))
  sheet.rect(isKnown ? 'f' : 'f u', left, top, length, thickness, 3)
  sheet.rect('d', left - 6, top, 2.5, thickness)
  const slots = Math.ceil(thickness / slotPitch - 0.01)
  sheet.lines(
    't',
    Array.from(
      { length: slots - 1 },
      (_, nth) => [left + 6, top + (nth + 1) * slotPitch, left + length - 6, top + (nth + 1) * slotPitch] as const,
    ),
  )
  drawPowerConnectors(sheet, attributes, left + length * 0.62, top + 4)
}

/** @param right where the first of them stands, mm; the others follow to its left */
function drawPowerConnectors(sheet: Sheet, attributes: Attributes, right: number, top: number) {
  const plugs = attributes.counted('power_connectors', 4)
  if (!plugs) sheet.rect('c u k m', right - 14, top, 42, 12, 2)
  const pins: Box[] = []
  for (const [nth, name] of (plugs ?? []).entries()) {
    const columns = /(^|\D)6pin/.test(name) ? 3 : /(^|\D)8pin|6(plus|\+| )2pin/.test(name) ? 4 : 6
    const x = right - nth * 27
    const pitch = columns === 6 ? 3.2 : 4.4
    sheet.rect('c f', x, top, columns * pitch + 2, 11, 1)
    for (let pin = 0; pin < columns * 2; pin++) pins.push([x + 1.8 + (pin % columns) * pitch, top + (pin < columns ? 2 : 6.5), 1.8, 1.8])
  }
  sheet.rects('t c', pins)
}
