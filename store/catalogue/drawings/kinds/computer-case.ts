import type { Attributes } from '../attributes.ts'
import type { Box, Sheet } from '../sheet.ts'
import { boardSizes } from './board-sizes.ts'
import type { Kind } from './kind.ts'
import { millimetres } from './shared-shapes.ts'

type Size = { width: number; height: number; depth: number }

/** mm, by the beginning of the form's name: what such a case usually measures, for one whose size is not known. */
const usual: [form: RegExp, size: Size][] = [
  [/^(EATX|ATX) Full/, { width: 240, height: 570, depth: 560 }],
  [/^(EATX|ATX) Mid/, { width: 215, height: 470, depth: 450 }],
  [/^ATX Mini/, { width: 205, height: 400, depth: 400 }],
  [/^Micro ATX (Mini|Mid)/, { width: 200, height: 390, depth: 390 }],
  [/^Micro ATX Slim/, { width: 100, height: 370, depth: 380 }],
  [/^Mini-ITX Tower/, { width: 190, height: 300, depth: 340 }],
  [/Desktop|HTPC/, { width: 400, height: 150, depth: 380 }],
  [/Test Bench/, { width: 320, height: 250, depth: 350 }],
]

/** Boards, the largest first. */
const boards = ['EATX', 'SSI EEB', 'ATX', 'Micro ATX', 'Mini-ITX']

/** Narrower and wider than any case. */
const side = { least: 30, most: 900 }
const gap = 40

/** The left side with what its panel lets see, and beside it the front. */
export const computerCase: Kind = {
  span: { width: 860, height: 580 },
  draw(sheet, attributes) {
    const known = sizeOf(attributes)
    const [, guess] = usual.find(([form]) => form.test(attributes.text('form_factor'))) ?? []
    const size = known ?? guess ?? { width: 215, height: 450, depth: 430 }
    drawSide(sheet, attributes, size, known !== undefined)
    drawFront(sheet, attributes, size.depth + gap, size, known !== undefined)
    sheet.dimension({ side: 'bottom', from: 0, to: size.depth, text: known && `${millimetres(size.depth)} deep` })
    sheet.dimension({
      side: 'bottom',
      from: size.depth + gap,
      to: size.depth + gap + size.width,
      text: known && `${millimetres(size.width)} wide`,
    })
    sheet.dimension({ side: 'right', from: 0, to: size.height, text: known && millimetres(size.height) })
  },
}

/**
 * The size, if it is stated and plausible: three lengths whose volume is about the stated one. Written as text they are depth, width and
 * height, or width, height and depth: a tower is narrowest in its width, and a case that lies is lowest.
 */
function sizeOf(attributes: Attributes): Size | undefined {
  const [stated] = attributes.objects('dimensions_mm')
  const numbers = stated
    ? [stated.width, stated.height, stated.depth]
    : (attributes
        .text('dimensions_mm')
        .match(/\d+(\.\d+)?/g)
        ?.map(Number) ?? [])
  const lengths = numbers.filter((one) => typeof one === 'number' && one >= side.least && one <= side.most) as number[]
  if (lengths.length !== 3) return undefined
  const litres = lengths.reduce((product, one) => product * one, 1) / 1e6
  const volume = attributes.number('volume_l')
  if (volume !== undefined && (litres > volume * 1.6 || litres < volume / 1.6)) return undefined
  if (!fitsBoard(attributes, lengths)) return undefined
  const [first = 0, second = 0, third = 0] = lengths
  if (stated) return { width: first, height: second, depth: third }
  const narrowest = lengths.indexOf(Math.min(...lengths))
  const least = lengths[narrowest] ?? 0
  const [one = 0, other = 0] = lengths.toSpliced(narrowest, 1)
  if (/Desktop|HTPC/.test(attributes.text('form_factor'))) return { height: least, width: one, depth: other }
  return narrowest === 0 ? { width: least, height: one, depth: other } : { width: least, depth: one, height: other }
}

/** Whether the board that is said to fit can fit at all: its short side in one length, its long side in another. */
function fitsBoard(attributes: Attributes, lengths: number[]): boolean {
  const board = largestBoard(attributes)
  if (!board) return true
  const [depth, height] = board
  const [, middle = 0, longest = 0] = lengths.toSorted((one, other) => one - other)
  return middle >= Math.min(depth, height) * 0.9 && longest >= Math.max(depth, height) * 0.9
}

/** Its size from the back and from above, mm. */
const largestBoard = (attributes: Attributes) => {
  const fitting = attributes.texts('motherboard_form_factors')
  const largest = boards.find((name) => fitting.includes(name))
  return largest === undefined ? undefined : boardSizes[largest]
}

function drawSide(sheet: Sheet, attributes: Attributes, { height, depth }: Size, isKnown: boolean) {
  const panel = attributes.text('side_panel')
  const [main, accent] = attributes.colours
  const body = (classes: string) => sheet.rect(classes, 0, 0, depth, height, 10)
  sheet.rect('p n', 0, 0, depth, height, 10)
  sheet.tinted(main, body)
  body(isKnown ? '' : 'u')
  if (!/Desktop|HTPC|Test/.test(attributes.text('form_factor')))
    sheet.rects('d', [
      [depth * 0.08, height, depth * 0.12, 12],
      [depth * 0.8, height, depth * 0.12, 12],
    ])
  const [left, top, width, inner] = [depth * 0.05, height * 0.06, depth * 0.86, height * 0.86]
  if (/glass|acrylic/i.test(panel)) {
    sheet.rect('p', left, top, width, inner, 6).rect('s', left, top, width, inner, 6)
    drawInside(sheet, attributes, [left, top, width, inner])
    sheet.lines('t', [
      [left + width * 0.72, top + 20, left + width * 0.86, top + 4],
      [left + width * 0.72, top + 60, left + width * 0.94, top + 10],
    ])
  } else if (/mesh/i.test(panel)) {
    const rows = Array.from({ length: Math.floor(inner / 22) }, (_, nth) => top + 11 + nth * 22)
    sheet.rect('', left, top, width, inner, 6).lines(
      't u',
      rows.map((y) => [left + 12, y, left + width - 12, y] as const),
    )
  } else if (panel === '') sheet.rect('u', left, top, width, inner, 6)
  else sheet.lines('t', [[depth * 0.93, height * 0.1, depth * 0.93, height * 0.9]]).circle('t', depth * 0.9, height / 2, 8)
  sheet.tinted(accent, (classes) => sheet.rect(classes, depth * 0.94, 6, depth * 0.05, height - 12))
}

/** The largest board, the slots at the back and the places for drives, seen through the window. */
function drawInside(sheet: Sheet, attributes: Attributes, [left, top, width, height]: Box) {
  const board = largestBoard(attributes)
  if (board) {
    const [depth, tall] = board
    const [w, h] = [Math.min(depth, width - 20), Math.min(tall, height - 40)]
    sheet.rect('f', left + 10, top + 12, w, h, 3).rect('c f', left + 10 + w * 0.3, top + 12 + h * 0.18, 44, 44)
    sheet.lines(
      't',
      [0, 10, 20, 30].map(
        (shift) =>
          [left + 10 + w * 0.3 + 70 + shift, top + 20, left + 10 + w * 0.3 + 70 + shift, top + 12 + Math.min(145, h * 0.6)] as const,
      ),
    )
    const slots = attributes.count('expansion_slots', 10) ?? 0
    sheet.rects(
      '',
      Array.from({ length: slots }, (_, nth): Box => [left, top + h - 2 - nth * 20.3, 9, 13]).filter(([, y]) => y > top + 30),
    )
  }
  const bays = attributes.count('bays_35', 8) ?? 0
  const rows = Math.min(bays, Math.floor((height - 20) / 34))
  sheet.rects(
    'f',
    Array.from(
      { length: rows },
      (_, nth): Box => [left + width - Math.min(112, width * 0.28), top + height - 34 - nth * 34, Math.min(104, width * 0.26), 27],
    ),
  )
}

function drawFront(sheet: Sheet, attributes: Attributes, left: number, { width, height }: Size, isKnown: boolean) {
  const [main, accent] = attributes.colours
  const body = (classes: string) => sheet.rect(classes, left, 0, width, height, 10)
  sheet.rect('p n', left, 0, width, height, 10)
  sheet.tinted(main, body)
  body(isKnown ? '' : 'u')
  sheet.tinted(accent, (classes) => sheet.rect(classes, left + width * 0.08, height * 0.12, width * 0.84, height * 0.1))
  const ports = attributes.texts('front_usb')
  const countOf = (texts: string[]) => texts.reduce((sum, text) => sum + Number(/^(\d) ?x/.exec(text)?.[1] ?? 1), 0)
  const all = Math.min(6, countOf(ports))
  const small = Math.min(all, countOf(ports.filter((text) => /Type.?C/i.test(text))))
  const pitch = Math.min(30, (width - 30) / Math.max(1, all))
  sheet.rects(
    'f',
    Array.from({ length: all }, (_, nth): Box => [left + 14 + nth * pitch, 14, nth < small ? pitch * 0.35 : pitch * 0.6, 9]),
  )
  if (!attributes.isKnown('front_usb')) sheet.lines('u m', [[left + 14, 18, left + width - 30, 18]])
  sheet.circle('c', left + width - 22, 20, 8)
  const bays = Math.min(attributes.count('bays_25', 12) ?? 0, 12)
  sheet.lines(
    't',
    Array.from(
      { length: bays },
      (_, nth) => [left + width * 0.2, height * 0.9 - nth * 12, left + width * 0.8, height * 0.9 - nth * 12] as const,
    ),
  )
}
