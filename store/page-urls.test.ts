import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { findExceededQueryLimit, queryLimits } from '#shared/query-limits.ts'
import { isCataloguePage, isOtherPageByCookie, resolveUrl, screenCacheRules } from './page-urls.ts'
import routes from './routes.ts'

/** Where an address leads, in a line. */
function told(url: string): string {
  const found = resolveUrl(url)
  if ('errorMessage' in found) return `refused: ${found.errorMessage}`
  return 'redirectTo' in found ? `moved to ${found.redirectTo}` : found.canonicalUrl
}

type Route = (typeof routes)[number]
/** The addresses of these routes, from the parent's on. */
const addressesOf = (some: Route[], parent = ''): string[] =>
  some.flatMap(({ path, index, children }) => {
    const own = path ? `${parent}/${path}` : parent
    return [...(path || index ? [own || '/'] : []), ...addressesOf(children ?? [], own)]
  })

test('every screen of routes.ts has its line among the addresses, and no line is left over', () => {
  const addresses = new Set(addressesOf(routes).filter((address) => address !== '/*'))
  assert.deepEqual(Object.keys(screenCacheRules).sort(), [...addresses].sort())
})

test('pages of which there is one each are told from those of which there are any number', () => {
  const isOneOf = (url: string) => {
    const found = resolveUrl(url)
    return 'canonicalUrl' in found && found.isStaticPath
  }
  const [one, any] = [
    ['/', '/home', '/allproducts', '/help', '/home?nothing=1', '/home?signed-out=1'],
    ['/allproducts?q=fan', '/products/00000000-0000-4000-8000-000000000000', '/home?signed-out=orders'],
  ]
  assert.deepEqual([one.map(isOneOf), any.map(isOneOf)], [one.map(() => true), any.map(() => false)])
})

test('a page has one address, however it is asked for: other spellings of its path are moved, and what means nothing is left out', () => {
  for (const [asked, page] of [
    ['/', '/'],
    ['/?x=1', '/'],
    ['/?signed-out=orders&x=1', '/?signed-out=orders'],
    ['/?signed-out=anything', '/'],
    ['/home?signed-out=x&signed-out=orders', '/home'],
    ['/home.data?signed-out=orders&signed-out=x', '/home.data?signed-out=orders'],
    ['/compare?rows=differences&id=b&x=1&id=a', '/compare?id=b&id=a&rows=differences'],
    ['/compare?rows=all&id=b', '/compare?id=b'],
    ['/compare?id=b&id=&id=a&id=b', '/compare?id=b&id=a'],
    ['/allproducts?page=2&utm_source=mail&brand=B&q=a+b&brand=A&price.min=', '/allproducts?brand=B&brand=A&page=2&q=a+b'],
    ['/allproducts?q=a%20b', '/allproducts?q=a+b'],
    ['/allproducts?price.max=12.50&price.min=3.00', '/allproducts?price.max=12.5&price.min=3'],
    ['/allproducts?%71=1&__proto__=2&Q=3', '/allproducts?q=1'],
    ['/products/6e1f0000-0000-4000-8000-000000000001?x', '/products/6e1f0000-0000-4000-8000-000000000001'],
    ['/purchase/6e1f0000-0000-4000-8000-000000000001?quantity=3', '/purchase/:id'],
    ['/products/6e1f/reviews?cursor=12&x=1&stars=4', '/products/6e1f/reviews?stars=4&cursor=12'],
    ['/products/6e1f/reviews?stars=6&cursor=0', '/products/6e1f/reviews'],
    ['/products/6e1f/reviews?stars=1&stars=2&cursor=9999999999', '/products/6e1f/reviews?stars=1'],
    ['/products/6e1f/reviews.data?stars=2', '/products/6e1f/reviews.data?stars=2'],
    ['/products/a/b/reviews', '/not-found'],
    ['/a/reviews', '/not-found'],
    ['/reviews', '/not-found'],
    ['/dashboard/manageallorders?q=ada&page=3', '/dashboard/manageallorders'],
    ['/allproducts.data?x=1&q=2&_routes=root', '/allproducts.data?q=2&_routes=root'],
    ['/_.data', '/_.data'],
    ['/.data', '/_.data'],
    ['/home/.data', '/home.data'],
    ['/home/_.data', '/home.data'],
    ['/nothing/here', '/not-found'],
    ['/constructor', '/not-found'],
    ['//evil.example/home', '/not-found'],
    ['/nothing.data?x', '/not-found.data'],
    ['/HOME', 'moved to /home'],
    ['/home/', 'moved to /home'],
    ['//home', 'moved to /home'],
    ['/%68ome', 'moved to /home'],
    ['/x/%2e%2e/home?q=1', 'moved to /home?q=1'],
    ['/x/../../home', 'moved to /home'],
    ['/\\home', 'moved to /home'],
    ['/x%2f..%2fhome', '/not-found'],
    ['/%', 'refused: This is not an address'],
    ['/%ff', 'refused: This is not an address'],
    ['http://evil.example/home', 'refused: This is not an address'],
    ['*', 'refused: This is not an address'],
  ] as const)
    assert.equal(told(asked), page, asked)
})

test('no path, however long and whatever it is made of, costs more than a thousand plain ones, and one longer than any page is not found', () => {
  const characters = 15_900
  const cost = (url: string, times: number) => {
    const begun = performance.now()
    for (let nth = 0; nth < times; nth++) resolveUrl(url)
    return performance.now() - begun
  }
  const plain = '/allproducts?q=cpu'
  cost(plain, 1000) // compiled by now
  for (const path of [
    `/${'a'.repeat(characters)}/.data`,
    `/${'a'.repeat(characters)}/`,
    `/${'a/'.repeat(characters / 2)}.data`,
    '/'.repeat(characters),
    `/${'.data'.repeat(characters / 5)}`,
    `/${'%2f'.repeat(characters / 3)}`,
    `/${'../'.repeat(characters / 3)}home`,
  ]) {
    // The quickest of ten: a process that was held up in the middle of one has not computed for longer.
    const [hostile, reference] = [Math.min(...Array.from({ length: 10 }, () => cost(path, 1))), cost(plain, 1000)]
    assert.ok(hostile < reference, `${path.slice(0, 20)}: one takes ${hostile} ms, a thousand plain ones ${reference} ms`)
    assert.match(told(path), /^\/not-found(\.data)?$/)
  }
  assert.equal(told(`/${'a'.repeat(401)}?x=1`), '/not-found')
  assert.equal(told(`/products/${'a'.repeat(380)}`), `/products/${'a'.repeat(380)}`)
})

test('the address of every screen is told from those that other routes, or none, may answer', () => {
  for (const address of Object.keys(screenCacheRules)) {
    const found = resolveUrl(address.replace(':id', '6e1f0000-0000-4000-8000-000000000001'))
    assert.ok('canonicalUrl' in found && found.isScreen, address)
  }
  for (const address of ['/api/tools', '/nothing', '/robots.txt', '/nothing.data']) {
    const found = resolveUrl(address)
    assert.ok('canonicalUrl' in found && !found.isScreen, address)
  }
})

test('the one spelling of any address is itself, and leads nowhere else', () => {
  const part = fc.constantFrom(
    'home',
    'HOME',
    'products',
    'purchase',
    '..',
    '.',
    '%2e',
    '%2E%2e',
    '%2F',
    '%68',
    'é',
    '%C3%89',
    '',
    ':id',
    '%25',
    '%2525',
    'İ',
    '.data',
    '_.data',
    '~',
    '\\',
  )
  const path = fc
    .array(fc.oneof(part, fc.string({ maxLength: 6 })), { maxLength: 6 })
    .map((parts) => `/${parts.join('/').replace(/[?#]/g, '')}`)
  fc.assert(
    fc.property(path, fc.webQueryParameters(), (asked, question) => {
      const found = resolveUrl(`${asked}?${question}`)
      if ('errorMessage' in found) return
      const spelled = 'redirectTo' in found ? found.redirectTo : found.canonicalUrl
      assert.match(spelled, /^\/(?!\/)/, 'it stays in the store')
      const again = resolveUrl(spelled)
      assert.ok('canonicalUrl' in again, `${spelled} is moved once more`)
      if ('canonicalUrl' in found) assert.equal(again.canonicalUrl, found.canonicalUrl)
    }),
    { seed: 15, numRuns: 500 },
  )
})

test('an address that asks for too much is refused in words, whatever it asks for too much of', () => {
  const { maxNames, maxValuesPerName, maxNameCharacters, maxValueCharacters, maxCharacters } = queryLimits
  const many = (count: number, write: (nth: number) => string) => Array.from({ length: count }, (_, nth) => write(nth)).join('&')
  for (const [question, words] of [
    [many(maxValuesPerName + 1, (nth) => `brand=${nth}`), /more than 40 values of brand: choose fewer/],
    [many(maxNames + 1, (nth) => `spec.a${nth}=1`), /More than 20 filters/],
    [`q=${'x'.repeat(maxValueCharacters + 1)}`, /said for q has more than 200 characters/],
    [many(12, (nth) => `brand=${nth}${'x'.repeat(190)}`), /more than 2000 characters together/],
  ] as const) {
    const found = resolveUrl(`/allproducts?${question}`)
    assert.match('errorMessage' in found ? found.errorMessage : '', words)
    assert.match(findExceededQueryLimit(new URLSearchParams(question))?.message ?? '', words)
  }
  assert.equal(findExceededQueryLimit([['x'.repeat(maxNameCharacters + 1), '1']])?.message, 'No filter has a name this long')
  for (const question of [
    many(maxValuesPerName, (nth) => `brand=${nth}`),
    many(maxNames, (nth) => `spec.a${nth}=1`),
    `q=${'x'.repeat(maxValueCharacters)}`,
    `${'x'.repeat(maxNameCharacters)}=1`,
    many(10, () => `b=${'x'.repeat(maxCharacters / 10 - 1)}`),
  ])
    assert.equal(findExceededQueryLimit(new URLSearchParams(question)), undefined, question)
  for (const [address, page] of [
    [`/allproducts?${many(500, (nth) => `x${nth}=${nth}`)}`, '/allproducts'],
    [`/login?from=${'%2Fx'.repeat(300)}`, `/login?from=${'%2Fx'.repeat(300)}`],
    [`/allproducts?${many(maxValuesPerName, (nth) => `brand=${nth}`)}`, `/allproducts?${many(maxValuesPerName, (nth) => `brand=${nth}`)}`],
  ] as const)
    assert.equal(told(address), page)
  assert.match(told(`/compare?${many(100, (nth) => `id=${nth}`)}`), /^refused/)
  assert.match(told(`/login?from=%2F${'x'.repeat(maxCharacters)}`), /^refused/)
})

test('a page of a product for sale or of a category alone is told from those that anybody can make up', () => {
  const catalogue = { hasProduct: (id: string) => id === 'known', hasCategory: (key: string) => key === 'cpu' }
  for (const page of ['/products/known', '/products/known.data', '/allproducts?category=cpu', '/allproducts.data?category=cpu'])
    assert.ok(isCataloguePage(page, catalogue), page)
  for (const page of [
    ...['/products/another', '/products/known?quantity=2', '/allproducts', '/allproducts?q=cpu', '/compare?id=known'],
    ...['/allproducts?category=made-up', '/allproducts?category=cpu&q=1', '/allproducts?category=cpu&category=gpu'],
  ])
    assert.ok(!isCataloguePage(page, catalogue), page)
})

test('an address of 16,000 characters is resolved in work that grows with its length, and no faster', () => {
  const took = (url: string) => {
    const begun = performance.now()
    resolveUrl(url)
    return performance.now() - begun
  }
  for (const address of [
    (length: number) => `/${'a'.repeat(length)}/b`,
    (length: number) => `/products/${'a'.repeat(length)}/.data`,
    (length: number) => '/a'.repeat(length / 2),
    (length: number) => `/allproducts?${'a=b&'.repeat(length / 4)}`,
  ]) {
    // The fastest of several counts. A short address takes less than the clock tells apart, so it counts as 0.25 ms at least.
    const fastest = (length: number) => Math.min(...Array.from({ length: 10 }, () => took(address(length))))
    assert.ok(fastest(16_000) < 100 * Math.max(fastest(1000), 0.25), address(8))
  }
})

test('a list is kept once for each look that a visitor may have chosen before, and a look in the URL counts more', () => {
  const kept = (url: string, cookie?: string) => {
    const found = resolveUrl(url, cookie)
    return 'canonicalUrl' in found && found.canonicalUrl
  }
  const cards = 'nucleus.cart-lines=2; nucleus.look=cards'
  assert.deepEqual(
    [
      kept('/allproducts?category=memory', cards),
      kept('/allproducts.data?category=memory', cards),
      kept('/allproducts', 'nucleus.look=table'),
    ],
    [
      '/allproducts?category=memory&preferred-look=cards',
      '/allproducts.data?category=memory&preferred-look=cards',
      '/allproducts?preferred-look=table',
    ],
  )
  const asItStands = [
    kept('/allproducts?category=memory'),
    kept('/allproducts?category=memory&preferred-look=cards'),
    kept('/allproducts?category=memory', 'nucleus.look=anything'),
    kept('/allproducts?category=memory', 'my-nucleus.look=cards'),
  ]
  assert.deepEqual(
    asItStands,
    asItStands.map(() => '/allproducts?category=memory'),
  )
  assert.equal(kept('/allproducts?category=memory&look=table', cards), '/allproducts?category=memory&look=table')
  assert.equal(kept('/blogs', cards), '/blogs')
  assert.deepEqual(
    ['/allproducts?category=memory', '/blogs'].map((url) => isOtherPageByCookie(url, cards)),
    [true, false],
  )
  const catalogue = { hasProduct: () => false, hasCategory: () => true }
  assert.ok(isCataloguePage('/allproducts?category=memory&preferred-look=cards', catalogue), 'served as readily as the other look')
})
