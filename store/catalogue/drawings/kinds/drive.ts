import { namesHeatSink } from '../../heat-sink.ts'
import type { Attributes } from '../attributes.ts'
import { inLines, seriesOfDrive } from '../name-of-part.ts'
import type { Sheet } from '../sheet.ts'
import { drawDriveInBox } from './drive-in-box.ts'
import type { Kind } from './kind.ts'
import { capacityText, contacts, lightStrip, millimetres } from './shared-shapes.ts'

/** mm, width and height as drawn, lying. M.2 names its size: 2280 is 22 mm wide and 80 mm long. */
const sizes: Record<string, readonly [width: number, height: number]> = {
  '2.5"': [100.5, 69.85],
  '3.5"': [147, 101.6],
  PCIe: [167.65, 68.9],
  mSATA: [50.8, 29.85],
}

export const drive: Kind = {
  span: { width: 150, height: 102 },
  draw(sheet, attributes) {
    const form = attributes.text('form_factor')
    const m2 = /^M\.2 (22)(30|42|60|80|110)$/.exec(form)
    const known: readonly [number, number] | undefined = m2 ? [Number(m2[2]), Number(m2[1])] : attributes.lookUp(sizes, 'form_factor')
    const [width, height] = known ?? [100, 70]
    if (m2 || form === 'mSATA') drawStick(sheet, attributes, width, height)
    else if (form === 'PCIe') drawCard(sheet, attributes, width, height)
    else drawDriveInBox(sheet, attributes, [width, height], known !== undefined)
    sheet.dimension({ side: 'bottom', from: 0, to: width, text: known && millimetres(width) })
    sheet.dimension({ side: 'right', from: 0, to: height, text: known && millimetres(height) })
  },
}

const hasHeatSink = (attributes: Attributes) => attributes.has('heatsink') ?? namesHeatSink(attributes.name)

/** The generation of PCIe of an NVMe drive, and SATA of the others. */
function busText(attributes: Attributes): string {
  const generation = attributes.number('pcie_gen')
  if (generation !== undefined) return `PCIe ${generation}.0`
  const interfaceText = attributes.text('interface')
  return /sata/i.test(interfaceText) ? 'SATA' : /pcie/i.test(interfaceText) || attributes.is('nvme') ? 'PCIe' : ''
}

/** Lanes of PCIe in the text of the interface: "M.2 PCIe 3.0 x8" are 8. */
const lanesOf = (attributes: Attributes): number => Number(/\bx ?(\d+)$/.exec(attributes.text('interface'))?.[1] ?? 4)

function drawStick(sheet: Sheet, attributes: Attributes, width: number, height: number) {
  drawEdge(sheet, attributes, height)
  sheet.rect('f', 4, 0, width - 4, height, 1)
  sheet.path('p', [
    ['M', width, height / 2 - 2.7],
    ['Q', width - 3.4, height / 2 - 2.7, width - 3.4, height / 2],
    ['Q', width - 3.4, height / 2 + 2.7, width, height / 2 + 2.7],
    ['Z'],
  ])
  const series = seriesOfDrive(attributes.name, attributes.brand, 22) || attributes.brand
  const isCooled = hasHeatSink(attributes)
  if (isCooled) drawHeatSink(sheet, width, height)
  // the label covers the chips; under a heat sink it is not seen, and the maker prints on the heat sink
  const [left, right] = isCooled ? [width * 0.2, width * 0.8] : [6, width - 6.5]
  const [top, bottom] = isCooled ? [height * 0.25, height * 0.75] : [2, height - 2]
  sheet.rect('p m', left, top, right - left, bottom - top, 1)
  const room = right - left - 3
  writeLines(sheet, inLines(series, room / 6), [(left + right) / 2, height / 2], { width: room, height: bottom - top })
  lightStrip(sheet, attributes.light('lighting') ?? attributes.lightOfName, 6, width - 4, 0)
  sheet.caption = [capacityText(attributes.number('capacity_gb')), busText(attributes)].filter(Boolean).join(' ')
}

/** Key M is one notch near the lower edge; drives with keys B and M, which are those of SATA, have another near the upper one. */
function drawEdge(sheet: Sheet, attributes: Attributes, height: number) {
  const notches = attributes.is('nvme') ? [height * 0.72] : [height * 0.24, height * 0.72]
  const ends = [1, ...notches.flatMap((notch) => [notch - 1.2, notch + 1.2]), height - 1]
  for (let nth = 0; nth < ends.length; nth += 2) {
    const from = ends[nth] ?? 0
    sheet.rect('g d', 0, from, 4.5, (ends[nth + 1] ?? height) - from)
  }
}

/** A block of fins as wide as the drive, with the maker's plate on it. */
function drawHeatSink(sheet: Sheet, width: number, height: number) {
  const left = 6
  sheet
    .rect('p n', left, -1.5, width - left - 3, height + 3, 2)
    .rect('s', left, -1.5, width - left - 3, height + 3, 2)
    .rect('f', left, -1.5, width - left - 3, height + 3, 2)
  const fins = 6
  sheet.lines(
    'm',
    Array.from({ length: fins }, (_, nth) => {
      const y = ((nth + 0.5) * height) / fins
      return [left + 2, y, width - 5, y] as const
    }),
  )
}

/** Lines of text above one another in a box around `centre`, all as large as the longest allows. */
function writeLines(sheet: Sheet, lines: string[], [x, y]: readonly [number, number], room: { width: number; height: number }) {
  const longest = Math.max(...lines.map(({ length }) => length), 1)
  const size = Math.min(room.height / lines.length, room.width / (longest * 0.62))
  for (const [nth, text] of lines.entries())
    sheet.text(text, [x, y + (nth - (lines.length - 1) / 2) * size], { height: size, width: room.width })
}

/** mm by lanes: how long the edge connector of a card is. */
const edges: Record<number, number> = { 1: 20, 2: 34, 4: 34, 8: 51, 16: 84 }

function drawCard(sheet: Sheet, attributes: Attributes, width: number, height: number) {
  const edge = edges[lanesOf(attributes)] ?? 34
  sheet
    .rect('d', 0, 0, 2, height + 14)
    .rect('f', 4, 0, width - 4, height, 3)
    .rect('f', 30, height, edge, 8)
  contacts(sheet, 32, 28 + edge, [height + 2, height + 7], 4)
  if (hasHeatSink(attributes))
    sheet.lines(
      'm',
      Array.from({ length: 9 }, (_, nth) => [12, 6 + nth * 7, width - 6, 6 + nth * 7] as const),
    )
  sheet
    .rect('c f', 12, 10, 20, 20)
    .rect('p', 40, 8, width - 50, height - 16, 2)
    .rect('f', 40, 8, width - 50, height - 16, 2)
  const room = width - 56
  const centre = 40 + (width - 50) / 2
  sheet.text(capacityText(attributes.number('capacity_gb')), [centre, height * 0.3], { height: 22, width: room })
  const series = seriesOfDrive(attributes.name, attributes.brand) || attributes.brand
  sheet.text(series, [centre, height * 0.58], { height: 15, width: room })
  sheet.text(busText(attributes), [centre, height * 0.79], { height: 10, width: room })
}
