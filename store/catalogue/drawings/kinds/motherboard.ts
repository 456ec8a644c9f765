import type { Attributes } from '../attributes.ts'
import type { Box, Sheet } from '../sheet.ts'
import { boardSizes } from './board-sizes.ts'
import type { Kind } from './kind.ts'
import { packageOf } from './processor.ts'
import { millimetres } from './shared-shapes.ts'

/** Lengths of slots by their lanes, mm, and the pitch of slots. */
const slotLengths: [lanes: number, length: number][] = [
  [16, 89],
  [8, 56],
  [4, 39],
  [0, 25],
]
const slotPitch = 20.32

export const motherboard: Kind = {
  span: { width: 400, height: 305 },
  draw(sheet, attributes) {
    const known = attributes.lookUp(boardSizes, 'form_factor')
    const [width, height] = known ?? [244, 244]
    sheet.rect(known ? 'f' : 'f u', 0, 0, width, height, 4)
    drawHoles(sheet, width, height)
    const slotsTop = drawSlots(sheet, attributes, width, height)
    const half = Math.max(84, Math.min(150, slotsTop - 10, height - 100))
    const socketBottom = drawSocketAndMemory(sheet, attributes, width, half)
    drawM2Places(sheet, attributes, [width, height], slotsTop, socketBottom + 6)
    drawOutputs(sheet, attributes, half)
    drawEdgeConnectors(sheet, attributes, width, height)
    sheet.dimension({ side: 'bottom', from: 0, to: width, text: known && millimetres(width) })
    sheet.dimension({ side: 'right', from: 0, to: height, text: known && millimetres(height) })
  },
}

function drawHoles(sheet: Sheet, width: number, height: number) {
  const [x1, x2, y1, y2] = [8, width - 8, 8, height - 8]
  sheet.circles('g', [
    [x2, y1, 3],
    [x1, y2, 3],
    [x2, y2, 3],
    [x1 + 26, y1, 3],
  ])
}

/** The slots from the bottom up. @returns where they begin, mm from the top */
function drawSlots(sheet: Sheet, attributes: Attributes, width: number, height: number): number {
  const slots = attributes
    .objects('pcie_slots')
    .flatMap(({ lanes, quantity }) =>
      typeof lanes === 'number' && typeof quantity === 'number'
        ? Array<number>(Math.max(0, Math.min(8, Math.round(quantity)))).fill(lanes)
        : [],
    )
    .slice(0, 8)
  const room = Math.max(1, Math.floor((height - 120) / slotPitch))
  const shown = slots.slice(0, room)
  const first = height - 16 - (shown.length - 1) * slotPitch
  const large: Box[] = []
  const small: Box[] = []
  for (const [nth, lanes] of shown.entries()) {
    const [, length = 25] = slotLengths.find(([least]) => lanes >= least) ?? []
    ;(lanes >= 16 ? large : small).push([30, first + nth * slotPitch - 4, Math.min(length, width - 60), 7.5])
  }
  if (shown.length === 0 && attributes.listed('pcie_slots') !== 0) sheet.rect('u', 30, height - 24, 89, 8)
  sheet.rects('c f m', large).rects('f m', small)
  return first - 4
}

/** The places for M.2 drives: right of the slots from the bottom up, then above the first slot, as far as there is room. */
function drawM2Places(
  sheet: Sheet,
  attributes: Attributes,
  [width, height]: readonly [number, number],
  slotsTop: number,
  upperBottom: number,
) {
  const count = attributes.count('m2_count', 10)
  const boxes: Box[] = []
  for (let y = height - 34; width >= 240 && y > Math.max(upperBottom, slotsTop - 30); y -= 26)
    boxes.push([Math.min(width - 112, 126), y, 80, 20])
  for (let y = slotsTop - 24; y > upperBottom || boxes.length === 0; y -= 24) boxes.push([34, y, 80, 20])
  if (count === undefined) {
    sheet.rects('u m', boxes.slice(0, 1))
    return
  }
  const lengths = m2SlotLengths(attributes)
  const places = boxes.slice(0, count).map(([x, y, width, h], nth): Box => [x, y, lengths[nth] ?? width, h])
  sheet.rects('f m', places).lines(
    'g m',
    places.map(([x, y, , h]) => [x + 3, y + 3, x + 3, y + h - 3] as const),
  )
  const [last] = places.slice(-1)
  if (last && count > places.length) sheet.text(`${count} x M.2`, [last[0] + 42, last[1] + 10], { height: 16, width: 60 })
}

/** mm: a slot of key E or A is for Wi-Fi. */
const wirelessSlotLength = 30

/** mm of the longest module that each M.2 slot takes, as far as they are listed: those for drives first, the longest of them first. */
function m2SlotLengths(attributes: Attributes): number[] {
  return attributes
    .objects('m2_slots')
    .map(({ size, key }) => {
      if (key === 'E' || key === 'A') return wirelessSlotLength
      const [, longest] = /\b22(\d{2,3})$/.exec(typeof size === 'string' ? size : '') ?? []
      return longest === undefined ? 80 : Math.min(Number(longest), 110)
    })
    .sort((one, other) => other - one)
}

/** @returns the lower end of the socket, mm from the top */
function drawSocketAndMemory(sheet: Sheet, attributes: Attributes, width: number, half: number): number {
  const socketText = attributes.text('socket')
  const [, times, name = ''] = /^(\d) x (.*)$/.exec(socketText) ?? [undefined, undefined, socketText]
  const processors = times === undefined ? 1 : Number(times)
  const slots = attributes.count('memory_slots', 16)
  const perSide = slots === undefined ? 2 : slots > 4 || processors > 1 ? Math.ceil(slots / 2) : slots
  const isSplit = slots !== undefined && perSide < slots
  const memoryWidth = perSide * 9
  const memoryLength = Math.min(133, half + 30)
  const right = width - 22 - memoryWidth
  const socketWidth = (packageOf(name)?.width ?? 40) + 14
  const socketHeight = (packageOf(name)?.height ?? 40) + 18
  const left = isSplit ? 44 + memoryWidth : 44
  const x = left + Math.max(0, (right - left - socketWidth) / 2)
  const y = Math.max(14, half / 2 - socketHeight / 2 + 8)
  drawHeatSinks(sheet, attributes, [x, y], socketHeight, socketWidth)
  for (let nth = 0; nth < Math.min(2, processors); nth++)
    drawSocket(sheet, name, [x, y + nth * (socketHeight + 8)], [socketWidth, socketHeight])
  const memorySlots = (from: number): Box[] => Array.from({ length: perSide }, (_, nth) => [from + nth * 9, 12, 5.5, memoryLength])
  const boxes = [...memorySlots(right), ...(isSplit ? memorySlots(36) : [])]
  if (slots === undefined) sheet.rects('u m', boxes)
  else
    sheet
      .rects(
        'm',
        boxes.filter((_, nth) => nth % 2 === 0),
      )
      .rects(
        'f m',
        boxes.filter((_, nth) => nth % 2 === 1),
      )
  return y + socketHeight
}

function drawSocket(sheet: Sheet, name: string, [x, y]: readonly [number, number], [width, height]: readonly [number, number]) {
  const known = packageOf(name)
  sheet.rect(known ? 'p' : 'p u', x, y, width, height, 3)
  if (!known) {
    sheet.rect('c f', x + 10, y + 12, width - 20, height - 24)
    return
  }
  sheet.rect('c f', x + 7, y + 9, known.width, known.height, 1)
  if (known.hasPins) {
    const dots = [0.25, 0.5, 0.75].flatMap((across) =>
      [0.25, 0.5, 0.75].map((down) => [x + 7 + known.width * across, y + 9 + known.height * down, 0.8] as const),
    )
    sheet.circles('t', dots).path('', [
      ['M', x + width + 3, y + 8],
      ['L', x + width + 3, y + height + 3],
    ])
  } else
    sheet.rect('t', x + 7 + known.width * 0.3, y + 9 + known.height * 0.32, known.width * 0.4, known.height * 0.36).path('', [
      ['M', x - 3, y + 6],
      ['L', x - 3, y + height + 3],
      ['L', x + 6, y + height + 3],
    ])
}

/** The coolers of the voltage regulators, in the colours of the board. */
function drawHeatSinks(sheet: Sheet, attributes: Attributes, [x, y]: readonly [number, number], height: number, width: number) {
  const [main, accent] = attributes.colours
  const side: Box = [x - 20, Math.max(4, y - 6), 13, height + 10]
  const upper: Box = [x - 4, Math.max(4, y - 14), width + 6, 9]
  sheet.tinted(main, (classes) => sheet.rects(classes, [side, upper]))
  sheet.rects(main ? '' : 'f', [side, upper])
  sheet.tinted(accent, (classes) => sheet.rect(classes, side[0] + 4, side[1] + 4, 5, side[3] - 8))
}

function drawOutputs(sheet: Sheet, attributes: Attributes, half: number) {
  const bottom = Math.min(156, half + 40)
  const [main] = attributes.colours
  sheet.tinted(main, (classes) => sheet.rect(classes, 0, 14, 26, bottom - 14, 2))
  sheet.rect('', 0, 14, 26, bottom - 14, 2)
  const networks = attributes.listed('ethernet')
  let y = 20
  for (let nth = 0; nth < Math.min(3, networks ?? 1); nth++) {
    if (networks === undefined) sheet.rect('u k m', 4, y, 12, 15, 1)
    else sheet.rect('f', 0, y, 15, 15, 1)
    y += 19
  }
  const wifi = attributes.has('wifi')
  if (wifi !== false) {
    if (wifi) for (const at of [y + 4, y + 16]) sheet.circle('g', 9, at, 4)
    else sheet.rect('u k m', 4, y, 12, 22, 6)
    y += 26
  }
  // which other outputs there are is not known
  if (y + 16 < bottom) sheet.rect('u m', 3, y + 2, 14, bottom - y - 8, 1)
}

function drawEdgeConnectors(sheet: Sheet, attributes: Attributes, width: number, height: number) {
  const power = attributes.counted('cpu_power', 3)
  // on small boards the heat sinks leave room above the memory only
  const left = width < 200 ? width - 18 - 24 * Math.max(1, power?.length ?? 1) : 48
  const plugs = (power ?? []).map((text, nth): Box => [left + nth * 24, 2, /8/.test(text) ? 19 : 10, 9])
  sheet.rects('c f m', plugs)
  if (!power) sheet.rect('c u k m', left, 2, 24, 10, 1)
  sheet.rect('c f', width - 11, Math.min(60, height * 0.3), 9, 50)
  const ports = attributes.count('sata_6gbs', 12)
  if (ports === undefined) {
    sheet.rect('u m', width - 14, height * 0.62, 12, 30)
    return
  }
  const pairs = Math.ceil(ports / 2)
  const boxes = Array.from(
    { length: pairs },
    (_, nth): Box => [width - 15, height - 30 - (nth + 1) * 16, 13, ports % 2 === 1 && nth === pairs - 1 ? 6 : 13],
  )
  sheet.rects('f m', boxes)
  sheet.lines(
    't',
    boxes.filter(([, , , h]) => h > 6).map(([x, y]) => [x, y + 6.5, x + 13, y + 6.5] as const),
  )
}
