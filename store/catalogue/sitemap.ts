import { and, asc, gt, isNotNull, lte, max, sql } from 'drizzle-orm'
import type { Changes } from '#platform/changes.ts'
import type { Database } from '#platform/database.ts'
import type { Http } from '#platform/http.ts'
import { answerKeptCall } from '#platform/kept-answer.ts'
import { openPageCache, type Rendered } from '#platform/page-cache.ts'
import type { Places } from '#platform/places.ts'
import { Refusal } from '#platform/refusal.ts'
import { answerStreamed, openReadingOn } from '#platform/streamed-answer.ts'
import { categoryOf } from './categories.ts'
import { forSale } from './rules.ts'
import { tools } from './table.ts'

/** A sitemap holds at most 50,000 addresses (https://www.sitemaps.org/protocol.html); beside the products stand a few pages. */
const positionsInPart = 49_000
const batch = 1000
const pages = ['/', '/allproducts', '/blogs', '/help', '/myportfolio']

/** What only people see, and lists of the same products: a category is a page, but it can be filtered and sorted in any number of ways. Words are not among them: nobody makes them up, and what is found names the list as its own. */
const notForRobots = [
  ...['/api/', '/dashboard', '/instrument/', '/purchase/', '/compare', '/outbox'],
  ...['brand=', 'in_stock=', 'pieces=', 'price.', 'spec.', 'sort=', 'look='].map((filter) => `/allproducts?*${filter}`),
]

type House = {
  db: Database
  changes: Changes
  /** where open calls read the database */
  reads: Places
  publicUrl: string
}

/**
 * `/robots.txt` and `/sitemap.xml`, which names the parts `/sitemap-1.xml` and so on. A part takes its products by the range of their places in
 * the order of creation, so that no product moves from one to another and nothing has to be counted. When a product page last changed is
 * not known (its figures may change at any time), so nothing is said about it.
 */
export function openSitemap(app: Http, { db, changes, reads, publicUrl }: House) {
  const kept = openPageCache(changes)
  const onward = openReadingOn()
  const hidden = { schema: { hide: true } }
  const xml = 'application/xml; charset=utf-8'
  const lastPart = async () => {
    const [row] = await reads.run(() =>
      db
        .select({ last: max(tools.position) })
        .from(tools)
        .where(forSale),
    )
    return Math.max(1, Math.ceil((row?.last ?? 0) / positionsInPart))
  }

  app.get('/robots.txt', hidden, (_request, reply) =>
    reply
      .type('text/plain; charset=utf-8')
      .send(`User-agent: *\n${notForRobots.map((place) => `Disallow: ${place}\n`).join('')}\nSitemap: ${publicUrl}/sitemap.xml\n`),
  )

  async function renderParts(): Promise<Rendered> {
    const parts = Array.from(
      { length: await lastPart() },
      (_, nth) => `<sitemap><loc>${publicUrl}/sitemap-${nth + 1}.xml</loc></sitemap>\n`,
    )
    const body = Buffer.from(`${head('sitemapindex')}${parts.join('')}</sitemapindex>\n`)
    return { status: 200, headers: { 'content-type': xml }, body, shows: ['tools', 'found'] }
  }

  app.get('/sitemap.xml', hidden, async (request, reply) => {
    const page = kept.kept('/sitemap.xml') ?? (await kept.render('/sitemap.xml', renderParts))
    await answerKeptCall(page, request, reply)
  })

  app.get<{ Params: { part: string } }>('/sitemap-:part(^\\d{1,6}$).xml', hidden, async (request, reply) => {
    const part = Number(request.params.part)
    if (part < 1 || part > (await lastPart())) throw new Refusal(404, 'There is no such part of the sitemap')
    await answerStreamed(request, reply, xml, addressesOf(part))
  })

  const categoryPages = async () => {
    const carried = await reads.run(() =>
      db
        .selectDistinct({ category: tools.category })
        .from(tools)
        .where(and(forSale, isNotNull(tools.category))),
    )
    const keys = new Set(carried.flatMap(({ category }) => categoryOf(category)?.key ?? category ?? []))
    return [...keys].sort().map((key) => `/allproducts?category=${encodeURIComponent(key)}`)
  }

  async function* addressesOf(part: number): AsyncGenerator<string, void> {
    const listed = (address: string) => `<url><loc>${publicUrl}${address}</loc></url>\n`
    yield head('urlset') + (part === 1 ? [...pages, ...(await categoryPages())].map(listed).join('') : '')
    let after = (part - 1) * positionsInPart
    for (;;) {
      const from = after
      const some = await onward.run(() =>
        db
          .select({ _id: tools._id, position: sql<number>`${tools.position}` })
          .from(tools)
          .where(and(forSale, gt(tools.position, from), lte(tools.position, part * positionsInPart)))
          .orderBy(asc(tools.position))
          .limit(batch),
      )
      if (some.length > 0) yield some.map(({ _id }) => listed(`/products/${_id}`)).join('')
      if (some.length < batch) break
      after = some.at(-1)?.position ?? after
    }
    yield '</urlset>\n'
  }
}

const head = (root: string) => `<?xml version="1.0" encoding="UTF-8"?>\n<${root} xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">\n`
