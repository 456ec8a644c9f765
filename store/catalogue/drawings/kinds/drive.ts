import type { Attributes } from '../attributes.ts'
import type { Sheet } from '../sheet.ts'
import type { Kind } from './kind.ts'
import { capacityText, contacts, label, millimetres } from './shared-shapes.ts'

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
    else drawBox(sheet, attributes, width, height, known !== undefined)
    sheet.dimension({ side: 'bottom', from: 0, to: width, text: known && millimetres(width) })
    sheet.dimension({ side: 'right', from: 0, to: height, text: known && millimetres(height) })
  },
}

const labelText = (attributes: Attributes) => capacityText(attributes.number('capacity_gb'))

function drawStick(sheet: Sheet, attributes: Attributes, width: number, height: number) {
  const isNvme = attributes.is('nvme')
  sheet.rect('f', 4, 0, width - 4, height, 1)
  const keys = isNvme ? [height * 0.68] : [height * 0.25, height * 0.68] // key M, or keys B and M
  sheet.lines('g', [
    [1.5, 1.5, 1.5, (keys[0] ?? height) - 1.5],
    ...keys.map((key, nth) => [1.5, key + 1.5, 1.5, (keys[nth + 1] ?? height) - 1.5] as const),
  ])
  sheet.path('p', [
    ['M', width, height / 2 - 2.7],
    ['Q', width - 3.4, height / 2 - 2.7, width - 3.4, height / 2],
    ['Q', width - 3.4, height / 2 + 2.7, width, height / 2 + 2.7],
    ['Z'],
  ])
  sheet.rect('c f m', 6, height * 0.25, Math.min(9, width * 0.2), height * 0.5)
  const room = width - 20 - Math.min(9, width * 0.2)
  const generation = attributes.number('pcie_gen')
  const text = [capacityText(attributes.number('capacity_gb')), generation === undefined ? '' : `Gen ${generation}`]
    .filter(Boolean)
    .join(' ')
  label(sheet, text, [width - 8 - room / 2, height / 2], room, height * 0.62)
}

function drawCard(sheet: Sheet, attributes: Attributes, width: number, height: number) {
  sheet
    .rect('d', 0, 0, 2, height + 14)
    .rect('f', 4, 0, width - 4, height, 3)
    .rect('f', 30, height, 40, 8)
  contacts(sheet, 32, 68, [height + 2, height + 7], 4)
  sheet.lines(
    't',
    Array.from({ length: 9 }, (_, nth) => [16 + nth * 15, 8, 16 + nth * 15, 22] as const),
  )
  sheet.rect('c f', 14, 30, 22, 22)
  sheet.text(labelText(attributes), [width * 0.6, height * 0.62], { height: 18, width: width * 0.6 })
}

function drawBox(sheet: Sheet, attributes: Attributes, width: number, height: number, isKnown: boolean) {
  const outline = isKnown ? 'f' : 'f u'
  sheet.rect(outline, 0, 0, width, height, 3)
  const isDisk = /HDD|SSHD/.test(attributes.text('type'))
  const screws = [
    [4, 4],
    [width - 4, 4],
    [4, height - 4],
    [width - 4, height - 4],
  ] as const
  for (const [x, y] of screws) sheet.circle('t', x, y, 1.8)
  if (isDisk) drawDisk(sheet, attributes, width, height)
  else {
    sheet.rect('f', width * 0.14, height * 0.2, width * 0.72, height * 0.6, 2)
    sheet.lines('c', [[width * 0.14, height * 0.2, width * 0.86, height * 0.2]])
    sheet.text(labelText(attributes), [width / 2, height * 0.47], { height: height * 0.22, width: width * 0.6 })
    sheet.text(attributes.text('type'), [width / 2, height * 0.7], { height: height * 0.13, width: width * 0.5 })
  }
  if (attributes.is('nvme')) sheet.rect('c f', width, height * 0.3, 4, height * 0.4)
  else
    sheet.rects('f', [
      [width, height * 0.24, 4, height * 0.16],
      [width, height * 0.46, 4, height * 0.3],
    ])
}

function drawDisk(sheet: Sheet, attributes: Attributes, width: number, height: number) {
  const radius = height * 0.42
  sheet.circle('f', width * 0.36, height / 2, radius).circle('t', width * 0.36, height / 2, radius * 0.62)
  if (/SSHD/.test(attributes.text('type'))) sheet.rect('c f', width * 0.76, height * 0.1, width * 0.16, height * 0.2)
  sheet.circle('c f', width * 0.36, height / 2, radius * 0.2)
  sheet
    .path('', [
      ['M', width * 0.88, height * 0.86],
      ['L', width * 0.42, height * 0.6],
    ])
    .circle('f', width * 0.88, height * 0.86, 3.5)
  sheet
    .rect('p', width * 0.62, height * 0.34, width * 0.34, height * 0.36, 1.5)
    .rect('f', width * 0.62, height * 0.34, width * 0.34, height * 0.36, 1.5)
  sheet.text(labelText(attributes), [width * 0.79, height * 0.45], { height: height * 0.14, width: width * 0.3 })
  const speed = attributes.number('rpm')
  if (speed !== undefined) sheet.text(`${speed} rpm`, [width * 0.79, height * 0.6], { height: height * 0.08, width: width * 0.3 })
}
