import type { Attributes } from '../attributes.ts'
import { seriesOfDrive } from '../name-of-part.ts'
import type { Sheet } from '../sheet.ts'
import { capacityText } from './shared-shapes.ts'

/** Drives of 2.5 and 3.5 inches, seen from the side of the label: solid state ones closed, disks with the platter that is under the lid. */
export function drawDriveInBox(sheet: Sheet, attributes: Attributes, [width, height]: readonly [number, number], isKnown: boolean) {
  sheet.rect(isKnown ? 'f' : 'f u', 0, 0, width, height, 3)
  const inset = width * 0.035
  for (const x of [inset, width - inset]) for (const y of [inset, height - inset]) sheet.circle('t', x, y, 1.8)
  if (/HDD|SSHD/.test(attributes.text('type'))) drawDisk(sheet, attributes, width, height)
  else drawSolidState(sheet, attributes, width, height)
  drawPlug(sheet, attributes, width, height)
}

const seriesText = (attributes: Attributes) => seriesOfDrive(attributes.name, attributes.brand, 12) || attributes.brand

/** "SATA 6.0 Gb/s" as labels say it: SATA 6 Gb/s. */
const interfaceText = (attributes: Attributes) => attributes.text('interface').replace(/\.0\b/, '')

function drawSolidState(sheet: Sheet, attributes: Attributes, width: number, height: number) {
  const [left, top, across, down] = [width * 0.09, height * 0.13, width * 0.82, height * 0.74]
  sheet
    .rect('p n', left, top, across, down, 2)
    .rect('', left, top, across, down, 2)
    .rect('c f n', left, top, across, down * 0.4)
  const centre = width / 2
  const room = across * 0.94
  sheet
    .text(seriesText(attributes), [centre, top + down * 0.2], { height: height * 0.2, width: room })
    .text(capacityText(attributes.number('capacity_gb')), [centre, top + down * 0.6], { height: height * 0.27, width: room })
    .text(`${attributes.text('type')} ${interfaceText(attributes)}`.trim(), [centre, top + down * 0.88], {
      height: height * 0.11,
      width: room,
    })
}

function drawDisk(sheet: Sheet, attributes: Attributes, width: number, height: number) {
  const centre = [width * 0.29, height / 2] as const
  const radius = height * 0.39
  sheet
    .circle('f', ...centre, radius)
    .circle('t', ...centre, radius * 0.66)
    .circle('c f', ...centre, radius * 0.24)
    .path('', [
      ['M', width * 0.56, height * 0.9],
      ['L', width * 0.38, height * 0.6],
    ])
    .circle('f', width * 0.56, height * 0.9, height * 0.035)
  const [left, top, across, down] = [width * 0.46, height * 0.09, width * 0.51, height * 0.7]
  sheet.rect('p n', left, top, across, down, 1.5).rect('', left, top, across, down, 1.5)
  if (/SSHD/.test(attributes.text('type'))) sheet.rect('c f', width * 0.8, height * 0.83, width * 0.13, height * 0.11)
  const [middle, room] = [left + across / 2, across * 0.98]
  const speed = attributes.number('rpm')
  const cache = attributes.number('cache_mb')
  sheet
    .text(seriesText(attributes), [middle, top + down * 0.17], { height: height * 0.15, width: room })
    .text(capacityText(attributes.number('capacity_gb')), [middle, top + down * 0.47], { height: height * 0.24, width: across * 0.92 })
    .text(speed === undefined ? '' : `${speed} rpm`, [middle, top + down * 0.75], { height: height * 0.13, width: room })
    .text([interfaceText(attributes), cache === undefined ? '' : `${cache} MB`].filter(Boolean).join(' '), [middle, top + down * 0.92], {
      height: height * 0.075,
      width: room,
    })
}

/** SATA has two plugs with a gap, SAS fills the gap, U.2 is higher besides, and PATA has a long plug of two rows and one with four pins. */
function drawPlug(sheet: Sheet, attributes: Attributes, width: number, height: number) {
  const connector = attributes.text('interface')
  if (/^U\.[23]/.test(connector) || (attributes.is('nvme') && connector !== '')) sheet.rect('c f', width, height * 0.24, 6, height * 0.52)
  else if (/^SAS/.test(connector))
    sheet.rects('f', [
      [width, height * 0.24, 4, height * 0.52],
      [width + 1.5, height * 0.4, 2.5, height * 0.06],
    ])
  else if (/^PATA/.test(connector)) {
    const pins = Array.from(
      { length: 12 },
      (_, nth) => [width + 1, height * (0.12 + nth * 0.042), width + 4, height * (0.12 + nth * 0.042)] as const,
    )
    sheet
      .rect('f', width, height * 0.08, 6, height * 0.54)
      .rect('f', width, height * 0.72, 6, height * 0.2)
      .lines('t', pins)
  } else
    sheet.rects('f', [
      [width, height * 0.24, 4, height * 0.16],
      [width, height * 0.46, 4, height * 0.3],
    ])
}
