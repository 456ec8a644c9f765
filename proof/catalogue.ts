import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { gunzipSync } from 'node:zlib'
import type { IndexedProduct } from '#store/search/parsed-query.ts'
import { seededRandom } from './seeded-random.ts'

/** A part as a line of a catalogue says it, and as the importer takes it. */
export type CatalogueRow = Omit<IndexedProduct, '_id' | 'position' | 'img'> & { img: string | null }
export type Catalogue = { rows: CatalogueRow[] /** where they are from, in words */; source: string }

const house = path.join(import.meta.dirname, '..')
export const realCataloguePath = process.env.CATALOGUE ?? path.join(house, '../shared/data/parts.ndjson.gz')
/** All of the real parts. */
export const fullCatalogueSize = 45_375

/**
 * Real parts where they lie beside the project (or in the file that `CATALOGUE` names), else parts made up by rule from the starting catalogue.
 * @param most so many, taken from all over the catalogue
 */
export function readCatalogue(most: number = fullCatalogueSize): Catalogue {
  if (!existsSync(realCataloguePath)) return { rows: generateRows(most), source: `${most} parts made up by rule` }
  const all = findOrderLines(gunzipSync(readFileSync(realCataloguePath)).toString())
  const lines = all.length <= most ? all : Array.from({ length: most }, (_, nth) => elementAt(all, Math.floor((nth * all.length) / most)))
  return { rows: lines, source: `${lines.length} real parts` }
}

/** As the index takes them, with ids and an order that are the same every time. Every third is sold in packs of its smallest order, every fifth was lowered, some of these too long ago to be shown. */
export const toIndexedProducts = (lines: CatalogueRow[]): IndexedProduct[] =>
  lines.map((line, nth) => ({
    ...{ price_breaks: [], incoming: null },
    ...line,
    img: line.img ?? '',
    order_multiple: nth % 3 === 0 ? line.minimum_order_quantity : 1,
    _id: `00000000-0000-4000-8000-${nth.toString(16).padStart(12, '0')}`,
    position: nth + 1,
    lowered: nth % 5 === 0 ? { from: line.price + 1, since: new Date(Date.now() - (nth % 45) * 24 * 60 * 60 * 1000).toISOString() } : null,
  }))

const findOrderLines = (text: string): CatalogueRow[] =>
  text
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))

/**
 * Parts like those of the starting catalogue: each time round, another series is invented, and in every word with a figure, in the part number
 * and among the specs other figures stand; some are sold out, of some the brand, the part number or a spec is not known.
 */
function generateRows(count: number): CatalogueRow[] {
  const patterns = findOrderLines(readFileSync(path.join(house, 'demo/catalogue/tools.ndjson'), 'utf8'))
  const { below, coin } = seededRandom(46_803)
  const syllables = [
    'ar',
    'bel',
    'cor',
    'dun',
    'el',
    'fen',
    'gal',
    'hor',
    'in',
    'jas',
    'kel',
    'lum',
    'mor',
    'nev',
    'or',
    'pra',
    'quo',
    'ris',
  ]
  const syllable = () => elementAt(syllables, below(syllables.length))
  const otherFigures = (text: string) => text.replace(/\d/g, (digit) => (coin() ? digit : `${below(10)}`))
  const series = Array.from({ length: 2000 }, () => syllable() + syllable() + syllable())
  return Array.from({ length: count }, (_, nth) => {
    const pattern = elementAt(patterns, nth % patterns.length)
    const known = () => below(20) > 0
    const specs = Object.entries(pattern.specs).flatMap(([key, value]) => {
      if (!known()) return []
      return [[key, typeof value === 'number' && coin() ? value * (1 + below(4)) : value] as const]
    })
    const words = pattern.name.split(' ').map((word) => (/[a-z]/i.test(word) && /\d/.test(word) ? otherFigures(word) : word))
    words.splice(1 + below(words.length), 0, capital(elementAt(series, below(series.length))))
    return {
      ...pattern,
      name: words.join(' '),
      sku: `M-${nth.toString().padStart(5, '0')}`,
      brand: known() ? pattern.brand : null,
      mpn: known() ? `${otherFigures(pattern.mpn ?? 'PART-000')}-${below(10_000)}` : null,
      price: (100 * (1 + below(2000)) - elementAt([0, 1, 5, 50], nth % 4)) / 100,
      minimum_order_quantity: 1 + below(10),
      available_quantity: below(5) === 0 ? below(5) : below(900),
      specs: Object.fromEntries(specs),
    }
  })
}

const capital = (word: string) => word.charAt(0).toUpperCase() + word.slice(1)

function elementAt<One>(all: readonly One[], nth: number): One {
  const one = all[nth]
  if (one === undefined) throw new Error(`There is no number ${nth} of ${all.length}`)
  return one
}
