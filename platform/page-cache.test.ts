import assert from 'node:assert/strict'
import { test } from 'node:test'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { openTestDatabase } from '#test/test-database.ts'
import { bestEncoding, bytesBesideBody, type CachedPage, createPageCache, type RenderedPage } from './page-cache.ts'

/** A page cache, and what tells it of changes. */
async function aPageCache(limits?: Parameters<typeof createPageCache>[1]) {
  const house = await openTestDatabase()
  const { changes } = house
  return { changes, pages: createPageCache(changes, limits), [Symbol.asyncDispose]: () => house[Symbol.asyncDispose]() }
}

const page = (text: string, shows: string[] | undefined = ['tools'], status = 200): RenderedPage => ({
  status,
  headers: { 'content-type': 'text/html; charset=utf-8' },
  body: Buffer.from(text),
  cacheTags: shows,
})
const textOf = (cached: CachedPage | undefined) => cached?.take('identity')?.body.toString()
const rendered = (text: string, shows?: string[]) => async () => page(text, shows)

test('a page is kept until what it shows changes', async () => {
  await using it = await aPageCache()
  assert.equal(it.pages.get('/'), undefined)

  const made = await it.pages.renderOnce('/', rendered('one', ['tools', 'reviews']))

  assert.partialDeepStrictEqual(it.pages.get('/'), made)
  it.changes.notify('orders')
  assert.ok(it.pages.get('/'), 'what it does not show may change')
  it.changes.notify('reviews')
  assert.equal(it.pages.get('/'), undefined)
})

test('a change drops the pages that show it and no others', async () => {
  await using it = await aPageCache()
  await it.pages.renderOnce('/', rendered('home', ['tools', 'reviews']))
  await it.pages.renderOnce('/allproducts', rendered('tools', ['tools']))
  await it.pages.renderOnce('/blogs', rendered('blogs', []))

  it.changes.notify('reviews')

  const kept = ['/', '/allproducts', '/blogs'].filter((address) => it.pages.get(address))
  assert.deepEqual(kept, ['/allproducts', '/blogs'])
})

test('when notices may have been missed, every page is dropped', async () => {
  await using it = await aPageCache()
  await it.pages.renderOnce('/', rendered('home', ['tools']))
  await it.pages.renderOnce('/blogs', rendered('blogs', []))

  it.changes.notify('*')

  assert.deepEqual([it.pages.get('/'), it.pages.get('/blogs')], [undefined, undefined])
})

test('a page that was being rendered while the store changed is shown to who waits for it, and not kept', async () => {
  await using it = await aPageCache()
  const old = Promise.withResolvers<RenderedPage>()
  const waiting = it.pages.renderOnce('/', () => old.promise)

  it.changes.notify('tools')
  const later = it.pages.renderOnce('/', rendered('new'))
  old.resolve(page('old'))

  assert.equal(textOf(await waiting), 'old')
  assert.equal(textOf(await later), 'new', 'who comes after the change sees the change')
  assert.equal(textOf(it.pages.get('/')), 'new')
})

test('a page that was being rendered while several things changed, what it shows last of them, is rendered anew for who comes after that', async () => {
  await using it = await aPageCache()
  const old = Promise.withResolvers<RenderedPage>()
  const waiting = it.pages.renderOnce('/', () => old.promise)

  for (const topic of ['orders', 'reviews', 'tools']) it.changes.notify(topic)
  const later = it.pages.renderOnce('/', rendered('new'))
  old.resolve(page('old'))

  assert.deepEqual([textOf(await waiting), textOf(await later)], ['old', 'new'])
})

test('a page that was being rendered while something else changed is kept, and shared by who comes after the change', async () => {
  await using it = await aPageCache()
  const slow = Promise.withResolvers<RenderedPage>()
  const waiting = it.pages.renderOnce('/', () => slow.promise)

  it.changes.notify('orders')
  const later = it.pages.renderOnce('/', () => assert.fail('rendered twice'))
  slow.resolve(page('home'))

  assert.equal(await waiting, await later)
  assert.ok(it.pages.get('/'))
})

test('a page that does not say what it shows is rendered anew for who comes after any change', async () => {
  await using it = await aPageCache()
  const slow = Promise.withResolvers<RenderedPage>()
  const waiting = it.pages.renderOnce('/', () => slow.promise)
  it.changes.notify('orders')
  const later = it.pages.renderOnce('/', async () => ({ ...page('new'), cacheTags: undefined }))
  slow.resolve({ ...page('old'), cacheTags: undefined })
  const shown = async (rendered: ReturnType<typeof it.pages.renderOnce>) => textOf(await rendered)
  assert.deepEqual([await shown(waiting), await shown(later)], ['old', 'new'])
})

test('a page that does not say what it shows is shared by all who ask for it while nothing changes', async () => {
  await using it = await aPageCache()
  let times = 0
  const render = async () => ({ ...page(`time ${++times}`), cacheTags: undefined })
  const [one, other] = await Promise.all([it.pages.renderOnce('/', render), it.pages.renderOnce('/', render)])
  assert.deepEqual([one, times], [other, 1])
})

test('however often the store changes while many ask for a page, it is rendered once at a time, and nobody is shown what was before they came', async () => {
  await using it = await aPageCache()
  let [version, running, times] = [0, 0, 0]
  const render = async () => {
    assert.equal(++running, 1)
    times++
    const read = version
    await new Promise(setImmediate)
    await new Promise(setImmediate)
    running--
    return page(`${read}`)
  }
  const asked: Promise<void>[] = []
  for (let nth = 0; nth < 300; nth++) {
    it.changes.notify('tools')
    const since = ++version
    asked.push(it.pages.renderOnce('/', render).then((seen) => assert.ok(Number(textOf(seen)) >= since)))
    if (nth % 3 === 0) await new Promise(setImmediate)
  }
  await Promise.all(asked)
  assert.ok(times < 120, `${times} renderings`)
})

test('a page is rendered once for all who ask at the same time', async () => {
  await using it = await aPageCache()
  let times = 0
  const render = async () => page(`time ${++times}`)

  const seen = await Promise.all(Array.from({ length: 50 }, () => it.pages.renderOnce('/', render)))

  assert.equal(times, 1)
  assert.equal(new Set(seen).size, 1)
  await it.pages.renderOnce('/blogs', render)
  assert.equal(times, 2, 'another address is another page')
})

test('a rendering that fails is told to who waits for it, and the next visitor tries again', async () => {
  await using it = await aPageCache()
  const failing = () => Promise.reject(new Error('no database'))

  const both = await Promise.allSettled([it.pages.renderOnce('/', failing), it.pages.renderOnce('/', failing)])

  assert.deepEqual(
    both.map(({ status }) => status),
    ['rejected', 'rejected'],
  )
  await it.pages.renderOnce('/', rendered('home'))
  assert.ok(it.pages.get('/'))
})

test('a page that failed, that leads elsewhere, or that does not say what it shows is not kept', async () => {
  await using it = await aPageCache()
  for (const [shows, status] of [
    [undefined, 404],
    [['tools'], 500],
    [['tools'], 302],
    [undefined, 200],
  ] as const) {
    const made = await it.pages.renderOnce('/x', async () => ({ ...page('x', undefined, status), cacheTags: shows && [...shows] }))
    assert.equal(made.status, status)
    assert.equal(it.pages.get('/x'), undefined, `${status}`)
  }
})

test('what is said where no page is can be kept like a page, when it says what it shows', async () => {
  await using it = await aPageCache()
  await it.pages.renderOnce('/x', async () => page('nothing here', ['shelves'], 404))
  assert.equal(it.pages.get('/x')?.status, 404)
  it.changes.notify('shelves')
  assert.equal(it.pages.get('/x'), undefined)
})

test('a page is not kept longer than its age allows, even when no change is told', async () => {
  await using it = await aPageCache({ maxAgeMs: 0 })
  await it.pages.renderOnce('/', rendered('home'))
  assert.equal(it.pages.get('/'), undefined)
})

test('when more is kept than allowed, the pages that were asked for least lately go', async () => {
  await using measuring = await aPageCache()
  const totalBytes = (await measuring.pages.renderOnce('/0', rendered('page 0'))).totalBytes()

  await using it = await aPageCache({ maxBytes: 3 * (totalBytes + bytesBesideBody('/0')) })
  for (let nth = 0; nth < 5; nth++) await it.pages.renderOnce(`/${nth}`, rendered(`page ${nth}`))
  await it.pages.renderOnce('/4', rendered('page 4'))

  const kept = [0, 1, 2, 3, 4].filter((nth) => it.pages.get(`/${nth}`))
  assert.deepEqual(kept, [2, 3, 4])
  it.pages.get('/2')
  await it.pages.renderOnce('/5', rendered('page 5'))
  assert.deepEqual([!!it.pages.get('/2'), it.pages.get('/3')], [true, undefined], 'but those that are asked for stay')

  await it.pages.renderOnce('/big', rendered('x'.repeat(10 * (totalBytes + bytesBesideBody('/0')))))
  assert.equal(it.pages.get('/big'), undefined, 'a page that is larger than everything allowed is not kept')
})

test('long addresses count as what they take, so that pages of a few bytes under them fill no memory', async () => {
  const long = (nth: number) => `/?from=${nth}${'%E6%98%BE'.repeat(1600)}`
  await using it = await aPageCache({ maxBytes: 10 * bytesBesideBody(long(0)) })
  for (let nth = 0; nth < 30; nth++) await it.pages.renderOnce(long(nth), rendered('x'))
  const kept = Array.from({ length: 30 }, (_, nth) => it.pages.get(long(nth))).filter(Boolean)
  assert.ok(kept.length >= 8 && kept.length <= 10, `${kept.length} are kept`)
  assert.ok(bytesBesideBody(long(0)) > 2 * long(0).length)
})

test('what a page takes in further encodings counts, and the oldest pages go for it', async () => {
  await using it = await aPageCache({ maxBytes: 120 + bytesBesideBody('/old') + bytesBesideBody('/') })
  await it.pages.renderOnce('/old', rendered('old'))
  const made = await it.pages.renderOnce('/', rendered('x'.repeat(100)))
  assert.ok(made.take('identity'), 'asked for, and so kept')
  const [one, same] = await Promise.all([made.encode('br'), made.encode('br')])
  assert.equal(one, same)
  assert.ok(it.pages.get('/old'), 'what is compressed once counts once')
  it.pages.get('/')
  const { body } = await made.encode('gzip')

  assert.equal(it.pages.get('/old'), undefined)
  assert.equal(made.totalBytes(), 100 + one.body.length + body.length)
  assert.equal(body.buffer.byteLength, body.length, 'and holds no more than that')
})

test('what is compressed at once, or of a page that is kept no longer, is counted as what is kept', async () => {
  const beside = bytesBesideBody('/both') + bytesBesideBody('/fits')
  await using it = await aPageCache({ maxBytes: 300 + beside })
  const [gone, both] = await Promise.all(['/gone', '/both'].map((url) => it.pages.renderOnce(url, rendered('x'.repeat(200), [url]))))
  it.changes.notify('/gone')
  await it.pages.renderOnce('/both', rendered('x'.repeat(200), ['/both']))
  await Promise.all([gone?.encode('br'), ...(['br', 'gzip'] as const).map((encoding) => it.pages.get('/both')?.encode(encoding))])
  assert.ok(both)
  const left = 300 - (it.pages.get('/both')?.totalBytes() ?? 0)
  await it.pages.renderOnce('/fits', rendered('x'.repeat(left)))
  assert.deepEqual([!!it.pages.get('/both'), !!it.pages.get('/fits')], [true, true])
  await it.pages.renderOnce('/more', rendered('x'))
  assert.equal(it.pages.get('/both'), undefined, 'one byte more than there is room for')
})

test('of a page that is asked for compressed only that is kept, and who asks for it as it was rendered gets the same bytes', async () => {
  const text = 'graphics card '.repeat(1000)
  for (const encoding of ['gzip', 'br'] as const) {
    await using it = await aPageCache({ maxBytes: text.length + 100 + bytesBesideBody('/') + bytesBesideBody('/blogs') })
    const made = await it.pages.renderOnce('/', rendered(text))
    const { body } = await made.encode(encoding)
    assert.equal(made.totalBytes(), body.length)

    await it.pages.renderOnce('/blogs', rendered('x'.repeat(text.length - body.length)))
    assert.ok(it.pages.get('/'), 'there is room for others')

    assert.equal((await made.encode('identity')).body.toString(), text)
    assert.equal(made.totalBytes(), body.length + text.length, 'asked for, and so kept')
    const other = encoding === 'br' ? 'gzip' : 'br'
    assert.equal((other === 'br' ? brotliDecompressSync : gunzipSync)((await made.encode(other)).body).toString(), text)
  }
})

test('every encoding of a page decodes to the same bytes, and its headers fit it', async () => {
  await using it = await aPageCache()
  const text = 'Präzision – 精密\n'.repeat(500)

  const made = await it.pages.renderOnce('/', rendered(text))
  assert.equal(made.take('br'), undefined, 'compressed when it is asked for')

  const decoders = { identity: (body: Buffer) => body, gzip: gunzipSync, br: brotliDecompressSync }
  for (const encoding of ['identity', 'gzip', 'br'] as const) {
    const { headers, body } = await made.encode(encoding)
    assert.equal(decoders[encoding](body).toString(), text)
    assert.equal(await made.encode(encoding), made.take(encoding), 'once for all')
    assert.equal(headers['content-length'], String(body.length))
    assert.equal(headers['content-encoding'], encoding === 'identity' ? undefined : encoding)
    assert.partialDeepStrictEqual(headers, { etag: made.etag, vary: 'accept-encoding', 'content-type': 'text/html; charset=utf-8' })
  }
})

test('the same page has the same ETag, and another page another', async () => {
  await using it = await aPageCache()
  const [one, same, other] = await Promise.all(['a', 'a', 'b'].map((text, nth) => it.pages.renderOnce(`/${nth}`, rendered(text))))
  assert.equal(one?.etag, same?.etag)
  assert.notEqual(one?.etag, other?.etag)
})

test('a visitor gets the smallest encoding among the accepted ones', () => {
  for (const [accepted, encoding] of [
    ['gzip, deflate, br, zstd', 'br'],
    ['gzip, deflate, br;q=0.8', 'br'],
    ['br', 'br'],
    ['gzip', 'gzip'],
    ['gzip;q=0.5, deflate', 'gzip'],
    ['gzip, br;q=0', 'gzip'],
    ['gzip,br; q=0.0', 'gzip'],
    ['br;q=0, gzip;q=0.000', 'identity'],
    ['deflate', 'identity'],
    ['identity', 'identity'],
    ['', 'identity'],
    [undefined, 'identity'],
  ] as const)
    assert.equal(bestEncoding(accepted), encoding, accepted)
})
