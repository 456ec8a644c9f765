import { escapeHtml } from '#platform/escape-html.ts'
import { categoryOf } from '../categories.ts'
import type { KnownThing } from '../drawing-contract.ts'
import { plausibleSizes } from '../plausible-sizes.ts'
import { Attributes, type DrawnPart } from './attributes.ts'
import { caseFan } from './kinds/case-fan.ts'
import { computerCase } from './kinds/computer-case.ts'
import { cpuCooler } from './kinds/cpu-cooler.ts'
import { drive } from './kinds/drive.ts'
import { soundCard } from './kinds/expansion-card.ts'
import { graphicsCard } from './kinds/graphics-card.ts'
import { headphones } from './kinds/headphones.ts'
import { keyboard } from './kinds/keyboard.ts'
import type { Kind, KindOf } from './kinds/kind.ts'
import { memory } from './kinds/memory.ts'
import { monitor } from './kinds/monitor.ts'
import { motherboard } from './kinds/motherboard.ts'
import { mouse } from './kinds/mouse.ts'
import { networkPart } from './kinds/network.ts'
import { powerSupply } from './kinds/power-supply.ts'
import { processor } from './kinds/processor.ts'
import { speakers } from './kinds/speakers.ts'
import { thermalMaterial } from './kinds/thermal-paste.ts'
import { knownThings } from './known-things.ts'
import { paletteOf, type Tone } from './palette.ts'
import { characterWidth, type Dimension, type Projection, rounded, Sheet } from './sheet.ts'

/** The kinds whose parts are drawn from their attributes, by the key of the category. */
const kinds: Record<string, Kind | KindOf> = {
  'video-card': graphicsCard,
  motherboard,
  memory,
  storage: drive,
  'cpu-cooler': cpuCooler,
  'case-fan': caseFan,
  case: computerCase,
  'power-supply': powerSupply,
  monitor,
  cpu: processor,
  keyboard,
  mouse,
  headphones,
  speakers,
  'network-card': networkPart,
  'sound-card': soundCard,
  'thermal-paste': thermalMaterial,
}

const coloursOfThings: Tone[] = ['black', 'white', 'grey', 'red', 'blue', 'green', 'yellow', 'orange', 'pink', 'purple']

/** The colours that the end of a name tells by the kind. "Gold" is the rating of power supplies, and "Red" of a keyboard the kind of its switches. */
const coloursOfNames: Record<string, Tone[]> = {
  'cpu-cooler': coloursOfThings,
  'case-fan': coloursOfThings,
  case: coloursOfThings,
  mouse: coloursOfThings,
  headphones: coloursOfThings,
  keyboard: ['black', 'white', 'grey', 'pink', 'purple', 'orange'],
}

const kindOf = (category: string | null): [key: string, kind: Kind | KindOf] | undefined => {
  const key = categoryOf(category)?.key
  const kind = key !== undefined && Object.hasOwn(kinds, key) ? kinds[key] : undefined
  return key !== undefined && kind ? [key, kind] : undefined
}

/** Whether parts of this category, or alias of one, are drawn from their attributes. */
export const isDrawnFromData = (category: string | null): boolean => kindOf(category) !== undefined

/** The categories whose parts are drawn from their attributes. */
export const drawnCategories = Object.keys(kinds)

export type DrawingOptions = {
  /** `small` without thin lines, for rows of lists; `large` with dimension lines */
  size?: 'small' | 'medium' | 'large'
  /** mm that the width of the picture shows, so that several parts can be seen on one scale */
  span?: number | undefined
  /** drawn beside it on the same scale */
  beside?: KnownThing | undefined
}

/** px: the picture, and what is left free around the part. */
const sheets = {
  small: { width: 120, height: 80, margin: [5, 6, 5, 6] },
  medium: { width: 240, height: 160, margin: [8, 8, 8, 8] },
  large: { width: 480, height: 320, margin: [16, 64, 44, 16] },
} as const
/** Of a large drawing that has no lines of dimensions to leave room for. */
const marginWithoutDimensions = [16, 16, 16, 16] as const

/**
 * The drawing of a part from its attributes, as an SVG document in the light and the dark theme.
 * @param category key or alias of a category that `isDrawnFromData`
 * @throws {RangeError} for any other category
 */
export function drawProduct(part: DrawnPart, options: DrawingOptions = {}): string {
  const { sheet, span: spanOfKind } = recordShapes(part)
  const { size = 'medium', beside, span } = options
  const { width, height, margin } = sheets[size]
  const around = size === 'large' && sheet.dimensions.length === 0 ? marginWithoutDimensions : margin
  const [top, right, bottom, left] = beside ? [16, 16, 28, 16] : around
  const room = { width: width - left - right, height: height - top - bottom }
  const other = beside ? knownThings[beside] : undefined
  const shown = other ? { width: sheet.size.width + thingGap + other.width, height: Math.max(sheet.size.height, other.height) } : sheet.size
  const share = size === 'small' ? smallSpan : 1
  const least = other
    ? shown
    : { width: Math.max(shown.width, spanOfKind.width * share), height: Math.max(shown.height, spanOfKind.height * share) }
  const scale = span ? room.width / span : Math.min(room.width / least.width, room.height / least.height)
  const [offsetX, offsetY] = [left + (room.width - shown.width * scale) / 2, top + (room.height - shown.height * scale) / 2]
  const projectionAt = (x: number, y: number): Projection => ({ scale, x: (mm) => x + mm * scale, y: (mm) => y + mm * scale })
  const lowered = (shown.height - sheet.size.height) * scale
  const projection = projectionAt(offsetX, offsetY + lowered)
  const shapes = [sheet.toSvg(projection, size !== 'small')]
  if (!other) shapes.push(captionAbove(sheet, projection, width))
  if (size === 'large' && !other) shapes.push(dimensionLines(sheet.dimensions, projection, sheet.size))
  if (other)
    shapes.push(other.draw(projectionAt(offsetX + (sheet.size.width + thingGap) * scale, offsetY + (shown.height - other.height) * scale)))
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}">\n<style>${paletteOf(sheet.tones, sheet.lights)}</style>\n${shapes.join('')}\n</svg>\n`
}

/** Of the span of the kind: in small pictures small parts would be too small to be seen. */
const smallSpan = 0.6

/** mm between a part and what is drawn beside it. */
const thingGap = 20

/** The size of the drawing of a part, mm. @throws {RangeError} as `drawProduct` */
export const drawingSize = (part: DrawnPart): { width: number; height: number } => recordShapes(part).sheet.size

/** mm that a drawing may show in its width. */
export const spanBounds = { min: 10, max: 5000 }

/** Around the largest of several parts: the letters on it are wider in some fonts than in others. */
const roomBesideLargest = 1.08

/** The `span` on which each of these parts can be seen whole, mm; undefined if one of them is not drawn from its attributes. */
export function commonSpan(parts: DrawnPart[]): number | undefined {
  if (parts.length === 0 || !parts.every(({ category }) => isDrawnFromData(category))) return undefined
  const [top, right, bottom, left] = sheets.medium.margin
  const shape = (sheets.medium.width - left - right) / (sheets.medium.height - top - bottom)
  const largest = Math.max(...parts.map(drawingSize).map(({ width, height }) => Math.max(width, height * shape)))
  const span = Math.ceil(largest * roomBesideLargest)
  return span >= spanBounds.min && span <= spanBounds.max ? span : undefined
}

/**
 * The lengths that the large drawing says, and beside which known things the part is best looked at: none if no length is known.
 * @returns null if it is not drawn from its attributes
 */
export function describeDrawing(part: DrawnPart): { dimensions: string[]; beside: KnownThing[] } | null {
  if (!isDrawnFromData(part.category)) return null
  const { dimensions, size } = recordShapes(part).sheet
  const known = dimensions.flatMap(({ text }) => text ?? [])
  const longest = Math.max(size.width, size.height)
  const beside: KnownThing[] = longest < 160 ? ['coin', 'hand'] : ['hand', 'board']
  return { dimensions: known, beside: known.length > 0 ? beside : [] }
}

function recordShapes({ category, ...part }: DrawnPart): { sheet: Sheet; span: Kind['span'] } {
  const found = kindOf(category)
  if (!found) throw new RangeError(`Parts of ${category} are not drawn from their attributes`)
  const [key, kindOrChoice] = found
  const attributes = new Attributes(part, plausibleSizes[key], coloursOfNames[key])
  const kind = typeof kindOrChoice === 'function' ? kindOrChoice(attributes) : kindOrChoice
  const sheet = new Sheet()
  kind.draw(sheet, attributes)
  return { sheet, span: kind.span }
}

/** px: of a caption, and how far above the part it stands. */
const captionText = { size: 15, distance: 8 }

function captionAbove({ caption, size: { width } }: Sheet, { x, y, scale }: Projection, sheetWidth: number): string {
  const size = Math.min(captionText.size, (sheetWidth - 6) / (caption.length * characterWidth))
  const bottom = y(0) - captionText.distance
  if (caption === '' || bottom - size < 0) return ''
  return `<text x="${rounded(x(0) + (width * scale) / 2)}" y="${rounded(bottom)}" font-size="${rounded(size)}">${escapeHtml(caption)}</text>`
}

/** px: how far from the part a line stands, its end marks, and the height of its text. */
const line = { distance: 12, mark: 4, text: 13 }

function dimensionLines(dimensions: Dimension[], { x, y, scale }: Projection, size: { width: number; height: number }): string {
  const edges = { bottom: y(0) + size.height * scale + line.distance, right: x(0) + size.width * scale + line.distance }
  return dimensions
    .map(({ side, from, to, text }) => {
      const isAcross = side === 'bottom'
      const at = edges[side]
      const [start, end] = isAcross ? [x(from), x(to)] : [y(from), y(to)]
      const point = (along: number, across: number) =>
        isAcross ? `${rounded(along)} ${rounded(across)}` : `${rounded(across)} ${rounded(along)}`
      const marks = [start, end].map((one) => `M${point(one, at - line.mark)}L${point(one, at + line.mark)}`).join('')
      const path = `<path class="m${text === undefined ? ' u' : ''}" d="M${point(start, at)}L${point(end, at)}${marks}"/>`
      const middle = (start + end) / 2
      const words = text ?? 'not known'
      const place = isAcross
        ? `x="${rounded(middle)}" y="${rounded(at + line.text + 4)}"`
        : `x="${rounded(at + 16)}" y="${rounded(middle)}" transform="rotate(-90 ${rounded(at + 16)} ${rounded(middle)})"`
      return `${path}<text ${place} font-size="${line.text}">${escapeHtml(words)}</text>`
    })
    .join('')
}
