import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { isOfCatalogue, pageAddress, screens } from './page-addresses.ts'
import { excessOf, questionLimits } from './question-limits.ts'
import routes from './routes.ts'

/** Where an address leads, in a line. */
function told(url: string): string {
  const found = pageAddress(url)
  if ('refused' in found) return `refused: ${found.refused}`
  return 'moved' in found ? `moved to ${found.moved}` : found.page
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
  assert.deepEqual(Object.keys(screens).sort(), [...addresses].sort())
})

test('a page has one address, however it is asked for: other spellings of its path are moved, and what means nothing is left out', () => {
  for (const [asked, page] of [
    ['/', '/'],
    ['/?x=1', '/'],
    ['/?signed-out=orders&x=1', '/?signed-out=orders'],
    ['/allproducts?page=2&utm_source=mail&brand=B&q=a+b&brand=A&price.min=', '/allproducts?brand=B&brand=A&page=2&q=a+b'],
    ['/allproducts?q=a%20b', '/allproducts?q=a+b'],
    ['/allproducts?%71=1&__proto__=2&Q=3', '/allproducts?q=1'],
    ['/products/6e1f0000-0000-4000-8000-000000000001?x', '/products/6e1f0000-0000-4000-8000-000000000001'],
    ['/purchase/6e1f0000-0000-4000-8000-000000000001?quantity=3', '/purchase/:id'],
    ['/dashboard/manageallorders?q=ada&page=3', '/dashboard/manageallorders'],
    ['/allproducts.data?x=1&q=2&_routes=root', '/allproducts.data?q=2&_routes=root'],
    ['/_.data', '/_.data'],
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

test('the address of every screen is told from those that other routes, or none, may answer', () => {
  for (const address of Object.keys(screens)) {
    const found = pageAddress(address.replace(':id', '6e1f0000-0000-4000-8000-000000000001'))
    assert.ok('page' in found && found.isScreen, address)
  }
  for (const address of ['/api/tools', '/nothing', '/robots.txt', '/nothing.data']) {
    const found = pageAddress(address)
    assert.ok('page' in found && !found.isScreen, address)
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
      const found = pageAddress(`${asked}?${question}`)
      if ('refused' in found) return
      const spelled = 'moved' in found ? found.moved : found.page
      assert.match(spelled, /^\/(?!\/)/, 'it stays in the store')
      const again = pageAddress(spelled)
      assert.ok('page' in again, `${spelled} is moved once more`)
      if ('page' in found) assert.equal(again.page, found.page)
    }),
    { seed: 15, numRuns: 500 },
  )
})

test('an address that asks for too much is refused in words, whatever it asks for too much of', () => {
  const { names, valuesOfName, nameCharacters, valueCharacters, characters } = questionLimits
  const many = (count: number, write: (nth: number) => string) => Array.from({ length: count }, (_, nth) => write(nth)).join('&')
  for (const [question, words] of [
    [many(valuesOfName + 1, (nth) => `brand=${nth}`), /more than 40 values of brand: choose fewer/],
    [many(names + 1, (nth) => `spec.a${nth}=1`), /More than 20 filters/],
    [`q=${'x'.repeat(valueCharacters + 1)}`, /said for q has more than 200 characters/],
    [many(12, (nth) => `brand=${nth}${'x'.repeat(190)}`), /more than 2000 characters together/],
  ] as const) {
    const found = pageAddress(`/allproducts?${question}`)
    assert.match('refused' in found ? found.refused : '', words)
    assert.match(excessOf(new URLSearchParams(question))?.words ?? '', words)
  }
  assert.equal(excessOf([['x'.repeat(nameCharacters + 1), '1']])?.words, 'No filter has a name this long')
  for (const question of [
    many(valuesOfName, (nth) => `brand=${nth}`),
    many(names, (nth) => `spec.a${nth}=1`),
    `q=${'x'.repeat(valueCharacters)}`,
    `${'x'.repeat(nameCharacters)}=1`,
    many(10, () => `b=${'x'.repeat(characters / 10 - 1)}`),
  ])
    assert.equal(excessOf(new URLSearchParams(question)), undefined, question)
  for (const [address, page] of [
    [`/allproducts?${many(500, (nth) => `x${nth}=${nth}`)}`, '/allproducts'],
    [`/login?from=${'%2Fx'.repeat(300)}`, `/login?from=${'%2Fx'.repeat(300)}`],
    [`/allproducts?${many(valuesOfName, (nth) => `brand=${nth}`)}`, `/allproducts?${many(valuesOfName, (nth) => `brand=${nth}`)}`],
  ] as const)
    assert.equal(told(address), page)
  assert.match(told(`/compare?${many(100, (nth) => `id=${nth}`)}`), /^refused/)
  assert.match(told(`/login?from=${'x'.repeat(characters)}`), /^refused/)
})

test('a page of a product for sale or of a category alone is told from those that anybody can make up', () => {
  const catalogue = { hasProduct: (id: string) => id === 'known', hasCategory: (key: string) => key === 'cpu' }
  for (const page of ['/products/known', '/products/known.data', '/allproducts?category=cpu', '/allproducts.data?category=cpu'])
    assert.ok(isOfCatalogue(page, catalogue), page)
  for (const page of [
    ...['/products/another', '/products/known?quantity=2', '/allproducts', '/allproducts?q=cpu', '/compare?id=known'],
    ...['/allproducts?category=made-up', '/allproducts?category=cpu&q=1', '/allproducts?category=cpu&category=gpu'],
  ])
    assert.ok(!isOfCatalogue(page, catalogue), page)
})
