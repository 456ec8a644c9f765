import type { Attributes } from '../attributes.ts'
import type { Box, Sheet } from '../sheet.ts'
import type { Kind } from './kind.ts'
import { fan, millimetres } from './shared-shapes.ts'

/** mm: width and height of the face, and the usual length (Intel's ATX design guide). */
const forms: Record<string, { width: number; height: number; length: number }> = {
  ATX: { width: 150, height: 86, length: 150 },
  SFX: { width: 125, height: 63.5, length: 100 },
  'SFX-L': { width: 125, height: 63.5, length: 130 },
  TFX: { width: 85, height: 65, length: 175 },
  'Flex ATX': { width: 81.5, height: 40.5, length: 150 },
}

const gap = 14

/** The side with the fan, and beside it the face with the plugs. */
export const powerSupply: Kind = {
  span: { width: 370, height: 160 },
  draw(sheet, attributes) {
    const form = attributes.lookUp(forms, 'form_factor')
    const { width, height, length } = form ?? { width: 150, height: 86, length: 150 }
    const knownLength = attributes.number('length_mm')
    const shownLength = knownLength ?? length
    drawTop(sheet, attributes, shownLength, width, knownLength !== undefined)
    drawFace(sheet, attributes, [shownLength + gap, (width - height) / 2], width, height, form !== undefined)
    sheet.dimension({ side: 'bottom', from: 0, to: shownLength, text: knownLength === undefined ? undefined : millimetres(knownLength) })
    sheet.dimension({ side: 'right', from: (width - height) / 2, to: (width + height) / 2, text: form && millimetres(height) })
  },
}

function drawTop(sheet: Sheet, attributes: Attributes, length: number, width: number, isKnown: boolean) {
  const [main, accent] = attributes.colours
  const body = (classes: string) => sheet.rect(classes, 0, 0, length, width, 3)
  sheet.tinted(main, body)
  body(isKnown ? 'f' : 'f u')
  const radius = Math.min(width, length) * 0.4
  if (attributes.is('fanless')) {
    const slits = Math.floor(length / 10) - 2
    sheet.lines(
      't',
      Array.from({ length: slits }, (_, nth) => [12 + nth * 10, width * 0.12, 12 + nth * 10, width * 0.62] as const),
    )
  } else if (!attributes.isKnown('fanless')) sheet.circle('u', length / 2, width * 0.44, radius * 0.86)
  else {
    sheet.tinted(accent, (classes) => sheet.circle(classes, length / 2, width * 0.44, radius * 0.86))
    fan(sheet, length / 2, width * 0.44, radius * 0.86, { blades: 7 })
    sheet.circle('t', length / 2, width * 0.44, radius * 0.58)
  }
  const wattage = attributes.number('wattage_w')
  const [label, middle] = [Math.min(22, width * 0.16), width - Math.min(22, width * 0.16) / 2 - 4]
  sheet.rect('p', length * 0.2, middle - label / 2, length * 0.6, label, 2)
  if (wattage !== undefined) sheet.text(`${wattage} W`, [length / 2, middle], { height: label * 0.8, width: length * 0.5 })
}

/** Columns of pins by the name of a plug in `choiceForm`. */
const plugs: [name: RegExp, columns: number][] = [
  [/^eps/, 4],
  [/^(pcie)?(6|8)/, 4],
  [/^pcie12|12vhpwr|12v2x6/, 6],
]

function drawFace(
  sheet: Sheet,
  attributes: Attributes,
  [left, top]: readonly [number, number],
  width: number,
  height: number,
  isKnown: boolean,
) {
  sheet.tinted(attributes.colours[0], (classes) => sheet.rect(classes, left, top, width, height, 2))
  sheet.rect(isKnown ? 'f' : 'f u', left, top, width, height, 2)
  const isModular = attributes.has('modular')
  const isSemi = isModular === true && /semi/i.test(attributes.text('modular'))
  if (isSemi || isModular === false) drawCables(sheet, [left, top], height)
  const names = attributes.counted('connectors', 24)
  const start = left + (isSemi ? 34 : 8)
  if (isModular === undefined || (isModular && !names)) {
    // whether there are sockets, or which, is not known
    sheet.rect('u m', start, top + 8, left + width - 8 - start, height - 16, 3)
    return
  }
  if (!isModular || !names || names.length === 0) {
    sheet.lines(
      't',
      Array.from(
        { length: 5 },
        (_, nth) =>
          [left + width * 0.4, top + height * (0.25 + nth * 0.12), left + width * 0.9, top + height * (0.25 + nth * 0.12)] as const,
      ),
    )
    return
  }
  const sockets: Box[] = []
  const high: Box[] = []
  let [x, y] = [start, top + 8]
  const place = (columns: number, isCopper: boolean) => {
    const size = columns * 4.2 + 3
    if (x + size > left + width - 5) [x, y] = [start, y + 16]
    if (y + 11 > top + height - 3) return
    ;(isCopper ? high : sockets).push([x, y, size, 11])
    x += size + 4
  }
  for (const name of names) {
    const [, columns = 0] = plugs.find(([pattern]) => pattern.test(name)) ?? []
    if (/^(atx)?24pin/.test(name) && !isSemi) place(12, false)
    else if (columns > 0 && !(isSemi && /^eps/.test(name))) place(columns, columns === 6)
  }
  const drives = names.filter((name) => /sata|molex/.test(name)).length
  for (let nth = 0; nth < Math.ceil(drives / 4); nth++) place(3, false)
  sheet.rects('', sockets).rects('c f', high)
  sheet.lines(
    't',
    [...sockets, ...high].map(([sx, sy, size]) => [sx + 2, sy + 5.5, sx + size - 2, sy + 5.5] as const),
  )
}

/** Cables that cannot be taken off. */
function drawCables(sheet: Sheet, [left, top]: readonly [number, number], height: number) {
  sheet.circle('d', left + 16, top + height * 0.3, 9)
  sheet.path(
    '',
    [-6, 0, 6].flatMap(
      (shift) =>
        [
          ['M', left + 16 + shift, top + height * 0.3],
          ['C', left + 16 + shift, top + height * 0.7, left + 8 + shift * 2, top + height, left + 8 + shift * 2.6, top + height + 14],
        ] as const,
    ),
  )
}
