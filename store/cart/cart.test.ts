import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'drizzle-orm'
import { cartIn, changeProduct, noticesIn, openBrowser, quantitiesIn, signInWith } from '#test/cart-actions.ts'
import { cancelPurchase, createProduct } from '#test/order-actions.ts'
import { anEmptyStore, type Store } from '#test/store.ts'
import { showPastedList } from './contract.ts'
import { deleteOldCarts } from './rules.ts'
import { deleteOldSharedCarts } from './shared-carts.ts'

async function skuOf(store: Store, id: string): Promise<string> {
  return (await store.visitor.request('GET', `/products/${id}`)).json().part.sku
}

test('a visitor without an account fills a basket: the same product adds up, and the cookie finds it again', async () => {
  await using store = await anEmptyStore()
  const [drill, saw] = [await createProduct(store, { dollars: 12.35 }), await createProduct(store, { name: 'Saw', dollars: 7 })]
  const browser = openBrowser(store.visitor)

  await browser.add(drill, 2)
  await browser.add(saw, 1)
  const added = cartIn(await browser.add(drill, 3))
  const found = cartIn(await browser.request('GET', '/cart'))

  assert.deepEqual(found, added)
  assert.deepEqual(quantitiesIn(found), { Drill: 5, Saw: 1 })
  assert.deepEqual(found.totals, { goodsCents: 6875, reductionCents: 0, deliveryCents: 0, taxCents: 0, totalCents: 6875 })
  assert.deepEqual([found.canBeOrdered, found.problem, found.isOfAccount], [true, null, false])
  assert.equal(browser.jar.get('nucleus.cart-lines'), '2')
  assert.deepEqual(cartIn(await store.visitor.request('GET', '/cart')).lines, [], 'who has no cookie has no basket')
  const stranger = await store.visitor.request('GET', '/cart', undefined, { cookie: `nucleus.cart=${'x'.repeat(32)}` })
  assert.deepEqual(cartIn(stranger).lines, [])
})

test('a quantity is set and a line taken out; what cannot be ordered is refused and changes nothing', async () => {
  await using store = await anEmptyStore()
  const drill = await createProduct(store, { minimum: 5, pieces: 20 })
  const browser = openBrowser(store.visitor)
  const set = (quantity: unknown, id = drill) => browser.request('PUT', `/cart/lines/${id}`, { quantity })

  const tooFew = await browser.add(drill, 4)
  assert.deepEqual(
    [tooFew.statusCode, tooFew.json().code, tooFew.json().message],
    [400, 'below_minimum', 'You must have to order 5 pieces'],
  )
  await browser.add(drill, 8)
  const tooMany = await browser.add(drill, 13)
  assert.deepEqual([tooMany.statusCode, tooMany.json().code], [409, 'stock_too_low'])
  assert.equal(tooMany.json().message, "You can't order more than 20 pieces. 8 are in your basket already")
  assert.deepEqual(tooMany.json().lines, [{ productId: drill, asked: 21, available: 20 }])
  for (const quantity of [0, -1, 1.5, '', '1e3', null, 10 ** 12]) assert.equal((await set(quantity)).statusCode, 400, `${quantity}`)
  assert.equal((await set(1, crypto.randomUUID())).statusCode, 404)
  assert.equal((await set(1, 'drill')).statusCode, 404)
  assert.deepEqual(quantitiesIn(cartIn(await browser.request('GET', '/cart'))), { Drill: 8 })

  assert.deepEqual(quantitiesIn(cartIn(await set('6'))), { Drill: 6 })
  assert.deepEqual(cartIn(await browser.request('DELETE', `/cart/lines/${drill}`)).lines, [])
  assert.equal(browser.jar.get('nucleus.cart-lines'), '0')
})

test('what has changed since a line was put in is said until it was seen, and what keeps it from being ordered as long as it does', async () => {
  await using store = await anEmptyStore()
  const [drill, saw, file] = [
    await createProduct(store, { dollars: 12.35 }),
    await createProduct(store, { name: 'Saw' }),
    await createProduct(store, { name: 'File', dollars: 2 }),
  ]
  const browser = openBrowser(store.visitor)
  for (const id of [drill, saw, file]) await browser.add(id, 8)

  await changeProduct(store, drill, { price: 12.9 })
  await changeProduct(store, saw, { pieces: 7 })
  await changeProduct(store, file, { minimum: 10 })
  const changed = cartIn(await browser.request('GET', '/cart'))
  assert.deepEqual(noticesIn(changed), ['Was $12.35, now $12.90', 'Only 7 left', 'You must have to order 10 pieces'])
  assert.deepEqual(
    changed.lines.map(({ orderableQuantity }) => orderableQuantity),
    [8, 7, 10],
  )
  assert.deepEqual([changed.canBeOrdered, changed.problem], [false, '2 lines cannot be ordered as they stand'])

  const more = cartIn(await browser.add(drill, 1))
  assert.deepEqual(noticesIn(more).slice(0, 1), ['Was $12.35, now $12.90'], 'another piece does not hide it')
  const seen = cartIn(await browser.request('POST', '/cart/seen'))
  assert.deepEqual(noticesIn(seen), ['Only 7 left', 'You must have to order 10 pieces'])

  await store.admin.request('DELETE', `/tools/${saw}`)
  await browser.request('PUT', `/cart/lines/${file}`, { quantity: 10 })
  const removed = cartIn(await browser.request('GET', '/cart'))
  assert.deepEqual(noticesIn(removed), ['No longer sold'])
  assert.equal(removed.totals.totalCents, 9 * 1290 + 10 * 200, 'it is not in the total')
  assert.deepEqual(cartIn(await browser.request('DELETE', `/cart/lines/${saw}`)).problem, null)
})

test('signing in joins the basket of the browser to that of the account, as far as there is stock, and says so; other devices find it', async () => {
  await using store = await anEmptyStore()
  const [drill, saw] = [await createProduct(store, { pieces: 10 }), await createProduct(store, { name: 'Saw' })]
  const atWork = await signInWith(openBrowser(store.visitor), store.customer)
  await atWork.add(drill, 6)
  const atHome = openBrowser(store.visitor)
  await atHome.add(drill, 7)
  await atHome.add(saw, 2)

  const signedIn = await signInWith(atHome, store.customer)
  const joined = cartIn(await signedIn.request('GET', '/cart'))
  assert.deepEqual(quantitiesIn(joined), { Drill: 10, Saw: 2 })
  assert.deepEqual(noticesIn(joined), ['13 together in your two baskets: 10 are left'])
  assert.deepEqual([joined.isOfAccount, signedIn.jar.get('nucleus.cart-lines')], [true, '2'])
  assert.deepEqual(cartIn(await atWork.request('GET', '/cart')), joined)
  const byCookie = await store.visitor.request('GET', '/cart', undefined, { cookie: signedIn.cookie() })
  assert.deepEqual(cartIn(byCookie), joined, 'the page knows the browser')
  assert.deepEqual(cartIn(await store.customer.request('GET', '/cart')), joined, 'a program has the token alone')

  const cookieBefore = signedIn.cookie()
  await signedIn.request('POST', '/auth/sign-out', {}, { origin: store.origin })
  assert.deepEqual([signedIn.jar.get('nucleus.cart'), signedIn.jar.get('nucleus.cart-lines')], [undefined, undefined])
  const afterwards = await store.visitor.request('GET', '/cart', undefined, { cookie: cookieBefore })
  assert.deepEqual(cartIn(afterwards).lines, [], 'the old cookie finds nothing any more')
})

test("somebody else who signs in at the same browser gets a basket of their own, and not the other's", async () => {
  await using store = await anEmptyStore()
  const drill = await createProduct(store)
  const first = await signInWith(openBrowser(store.visitor), store.customer)
  await first.add(drill, 3)

  const second = await signInWith(first, store.otherCustomer)
  assert.deepEqual(cartIn(await store.visitor.request('GET', '/cart', undefined, { cookie: second.cookie() })).lines, [])
  assert.deepEqual(quantitiesIn(cartIn(await first.request('GET', '/cart'))), { Drill: 3 })
})

test('a basket costs what its buyer pays: own prices once it is that of their account', async () => {
  await using store = await anEmptyStore()
  const drill = await createProduct(store, { dollars: 30 })
  await store.customer.token()
  await store.admin.request('POST', '/buyer-prices', { sku: await skuOf(store, drill), price: 24.5, email: store.customer.email })
  const browser = openBrowser(store.visitor)
  assert.equal(cartIn(await browser.add(drill, 2)).totals.totalCents, 6000)
  const signedIn = await signInWith(browser, store.customer)
  const cart = cartIn(await signedIn.request('GET', '/cart'))
  assert.deepEqual([cart.totals.totalCents, noticesIn(cart)], [4900, ['Was $30, now $24.50']])
})

test('a pasted list of part numbers is put in as far as it can be, and each other line says why not', async () => {
  await using store = await anEmptyStore()
  const [drill, saw, file] = [
    await createProduct(store, { minimum: 5 }),
    await createProduct(store, { name: 'Saw' }),
    await createProduct(store, { name: 'File' }),
  ]
  await store.db.execute(sql`update tools set mpn = 'CMK-16/GX4' where id = ${saw}`)
  const [skuOfDrill, skuOfFile] = [await skuOf(store, drill), await skuOf(store, file)]
  const browser = openBrowser(store.visitor)
  const text = [
    `${skuOfDrill}\t10`,
    '3 x cmk16gx4',
    '',
    `"${skuOfFile.toLowerCase()}";File for metal;2`,
    'NOPE-1, 4',
    `${skuOfDrill} 1000`,
  ].join('\r\n')

  const pasted = (await browser.request('POST', '/cart/paste', { text })).json()

  assert.deepEqual(quantitiesIn(pasted.cart), { Drill: 10, Saw: 3, File: 2 })
  assert.equal(pasted.added, 3)
  assert.deepEqual(pasted.notAdded, [
    { text: 'NOPE-1, 4', reason: 'No part has this number' },
    { text: `${skuOfDrill} 1000`, reason: 'Drill: Only 40 left, and 10 are in your basket already: up to 30 more can be put in' },
  ])
  const times = (await browser.request('POST', '/cart/paste', { text: `${skuOfFile} x 3` })).json()
  assert.equal(quantitiesIn(times.cart).File, 5)
  const long = (await browser.request('POST', '/cart/paste', { text: `${skuOfFile}${' '.repeat(300)}1` })).json()
  assert.equal(long.notAdded[0].reason, 'No part has this number', 'what is longer than a part number and its columns can be')
  const alone = (await browser.request('POST', '/cart/paste', { text: skuOfDrill })).json()
  assert.equal(quantitiesIn(alone.cart).Drill, 15, 'without a quantity it is the smallest order')
  await store.db.execute(sql`update tools set mpn = 'CMK 16GX4' where id = ${file}`)
  const ambiguous = (await browser.request('POST', '/cart/paste', { text: 'CMK16GX4 1' })).json()
  assert.match(
    ambiguous.notAdded[0].reason,
    /^Several parts have this number, say which by its SKU: N-\S+ \(\w+, \d+ left\); N-\S+ \(\w+, \d+ left\)$/,
  )
  for (const text of ['', ' \n ', 'x'.repeat(20_001), Array(201).fill('x').join('\n')])
    assert.equal((await browser.request('POST', '/cart/paste', { text })).statusCode, 400)
})

test('a part of which too few are left says how many there are and how many of them can be put in, with packs and a minimum too', async () => {
  await using store = await anEmptyStore()
  const browser = openBrowser(store.visitor)
  const skus: Record<string, string> = {}
  for (const [name, pieces, minimum, pack] of [
    ['Few', 7, 1, 1],
    ['Packs', 17, 5, 5],
    ['Rest', 4, 10, 1],
    ['None', 0, 1, 1],
  ] as const) {
    const id = await createProduct(store, { name, pieces, minimum })
    await store.db.execute(sql`update tools set order_multiple = ${pack} where id = ${id}`)
    skus[name] = await skuOf(store, id)
  }
  const paste = async (...lines: string[]) => (await browser.request('POST', '/cart/paste', { text: lines.join('\n') })).json()
  const reasons = ({ notAdded }: { notAdded: { reason: string }[] }) => notAdded.map(({ reason }) => reason)

  assert.deepEqual(reasons(await paste(...Object.values(skus).map((sku) => `${sku} 20`))), [
    'Few: Only 7 left: none was put into your basket, and up to 7 can be',
    'Packs: Only 17 left: none was put into your basket, and up to 15 can be',
    'Rest: Only 4 left, and the smallest order is 10',
    'None: Out of stock',
  ])
  const again = await paste(`${skus.Few} 7`, `${skus.Packs} 10`, `${skus.Few} 1`, `${skus.Packs} 10`)
  assert.deepEqual(quantitiesIn(again.cart), { Few: 7, Packs: 10 })
  assert.deepEqual(reasons(again), [
    'Few: Only 7 left, and 7 are in your basket already',
    'Packs: Only 17 left, and 10 are in your basket already: up to 5 more can be put in',
  ])
})

test('a shared link shows what is in the basket to whoever has it, who can take all of it; after 90 days it is gone', async () => {
  await using store = await anEmptyStore()
  const [drill, saw] = [await createProduct(store), await createProduct(store, { name: 'Saw', pieces: 5 })]
  const browser = openBrowser(store.visitor)
  assert.deepEqual((await browser.request('POST', '/cart/share')).json().code, 'cart_empty')
  await browser.add(drill, 2)
  await browser.add(saw, 4)
  const shared = (await browser.request('POST', '/cart/share')).json()
  assert.deepEqual((await browser.request('POST', '/cart/share')).json(), shared, 'the same basket has one link')
  await changeProduct(store, saw, { pieces: 3 })

  const shown = cartIn(await store.visitor.request('GET', `/cart/shared/${shared.token}`))
  assert.deepEqual([quantitiesIn(shown), noticesIn(shown)], [{ Drill: 2, Saw: 4 }, ['Only 3 left']])
  const other = openBrowser(store.visitor)
  const taken = (await other.request('POST', `/cart/shared/${shared.token}`)).json()
  assert.deepEqual([quantitiesIn(taken.cart), taken.added], [{ Drill: 2 }, 1])
  assert.deepEqual(taken.notAdded, [{ text: '4 x Saw', reason: 'Only 3 left: none was put into your basket, and up to 3 can be' }])

  await store.db.execute(sql`update shared_carts set shared_at = now() - interval '91 days'`)
  await deleteOldSharedCarts(store.db)
  for (const token of [shared.token, 'nonsense', '0'.repeat(32)])
    assert.equal((await store.visitor.request('GET', `/cart/shared/${token}`)).statusCode, 404, token)
})

test('a basket has at most 100 lines, and two that are joined are not cut', async () => {
  await using store = await anEmptyStore()
  await store.db.execute(sql`with added as (
      insert into tools (id, name, description, price_cents, minimum_order_quantity, available_quantity, sku)
      select gen_random_uuid(), 'Part ' || n, 'A part', 100, 1, 10, 'P-' || n from generate_series(1, 150) n returning id
    ) insert into stock_movements (tool_id, pieces, reason) select id, 10, 'initial' from added`)
  const skus = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, index) => `P-${from + index} 1`).join('\n')
  const atWork = await signInWith(openBrowser(store.visitor), store.customer)
  const full = (await atWork.request('POST', '/cart/paste', { text: skus(1, 101) })).json()
  assert.deepEqual(
    [full.added, full.notAdded[0].reason],
    [100, 'Part 101: A basket has at most 100 lines: order these first, or take some out'],
  )
  const atHome = openBrowser(store.visitor)
  await atHome.request('POST', '/cart/paste', { text: skus(101, 110) })
  const joined = cartIn(await (await signInWith(atHome, store.customer)).request('GET', '/cart'))
  assert.deepEqual([joined.lines.length, joined.problem], [110, 'An order has at most 100 lines: take some out'])
})

test('all lines of an own order are put into the basket again, as far as they can be, and each other line says why not', async () => {
  await using store = await anEmptyStore()
  const [drill, saw, file] = [
    await createProduct(store),
    await createProduct(store, { name: 'Saw' }),
    await createProduct(store, { name: 'File' }),
  ]
  const lines = [drill, saw, file].map((productId) => ({ productId, quantity: 10 }))
  const { _id } = (await store.customer.request('POST', '/orders', { lines, buyerAddress: '1 Road' })).json()
  await changeProduct(store, saw, { pieces: 9 })
  await store.admin.request('DELETE', `/tools/${file}`)
  await store.customer.request('POST', '/cart/lines', { productId: drill, quantity: 1 })

  const again = await store.customer.request('POST', `/cart/orders/${_id}`)
  assert.deepEqual(quantitiesIn(cartIn(again)), { Drill: 11 })
  assert.deepEqual(
    [again.json().added, again.json().notAdded],
    [
      1,
      [
        { text: '10 x Saw', reason: 'Only 9 left: none was put into your basket, and up to 9 can be' },
        { text: '10 x File', reason: 'There is no such product' },
      ],
    ],
  )
  assert.equal((await store.otherCustomer.request('POST', `/cart/orders/${_id}`)).statusCode, 404)

  const pair = [drill, saw].map((productId) => ({ productId, quantity: 2 }))
  const short = (await store.customer.request('POST', '/orders', { lines: pair, buyerAddress: '1 Road' })).json()
  await cancelPurchase(store.customer, { _id: short.lines[1]._id })
  const ofRest = await store.customer.request('POST', `/cart/orders/${short._id}`)
  assert.deepEqual(quantitiesIn(cartIn(ofRest)), { Drill: 13 }, 'what was cancelled of an order that goes on is not wanted')
  await cancelPurchase(store.customer, { _id: short.lines[0]._id })
  const ofAll = await store.customer.request('POST', `/cart/orders/${short._id}`)
  assert.deepEqual(quantitiesIn(cartIn(ofAll)), { Drill: 15, Saw: 2 }, 'of one that is cancelled as a whole all may be')
})

test('a cookie that somebody else has given a browser finds nothing of what is in the basket after signing in', async () => {
  await using store = await anEmptyStore()
  const drill = await createProduct(store)
  const browser = openBrowser(store.visitor)
  await browser.add(drill, 1)
  const given = browser.cookie()
  const signedIn = await signInWith(browser, store.customer)
  await signedIn.add(drill, 1)
  assert.deepEqual(quantitiesIn(cartIn(await store.visitor.request('GET', '/cart', undefined, { cookie: signedIn.cookie() }))), {
    Drill: 2,
  })
  assert.deepEqual(cartIn(await store.visitor.request('GET', '/cart', undefined, { cookie: given })).lines, [])
})

test('a page of another site cannot change a basket with the cookie of its visitor', async () => {
  await using store = await anEmptyStore()
  const drill = await createProduct(store)
  const browser = openBrowser(store.visitor)
  await browser.add(drill, 1)
  for (const site of ['cross-site', 'same-site']) {
    const refused = await browser.request('POST', '/cart/lines', { productId: drill, quantity: 1 }, { 'sec-fetch-site': site })
    assert.equal(refused.statusCode, 403, site)
  }
  for (const origin of ['https://elsewhere.example', 'null']) {
    const refused = await browser.request('POST', '/cart/lines', { productId: drill, quantity: 1 }, { origin })
    assert.equal(refused.statusCode, 403, `a browser that tells the origin alone: ${origin}`)
  }
  const own = await browser.request('POST', '/cart/lines', { productId: drill, quantity: 1 }, { 'sec-fetch-site': 'same-origin' })
  assert.deepEqual(quantitiesIn(cartIn(own)), { Drill: 2 })
})

test('two tabs that add at the same moment both count', async () => {
  await using store = await anEmptyStore()
  const drill = await createProduct(store)
  const browser = openBrowser(store.visitor)
  await browser.add(drill, 1)
  await Promise.all(Array.from({ length: 10 }, () => browser.add(drill, 2)))
  assert.deepEqual(quantitiesIn(cartIn(await browser.request('GET', '/cart'))), { Drill: 21 })
})

test('a basket of a visitor is kept for 60 days after its last change, that of an account for ever, unless the account is removed', async () => {
  await using store = await anEmptyStore()
  const drill = await createProduct(store)
  const browser = openBrowser(store.visitor)
  await browser.add(drill, 1)
  await store.customer.request('POST', '/cart/lines', { productId: drill, quantity: 2 })
  const age = (days: number) => store.db.execute(sql`update carts set used_at = now() - make_interval(days => ${days})`)

  await age(59)
  await deleteOldCarts(store.db)
  assert.deepEqual(quantitiesIn(cartIn(await browser.request('GET', '/cart'))), { Drill: 1 })
  await age(61)
  await deleteOldCarts(store.db)
  assert.deepEqual(cartIn(await browser.request('GET', '/cart')).lines, [])
  assert.deepEqual(quantitiesIn(cartIn(await store.customer.request('GET', '/cart'))), { Drill: 2 })
  await store.admin.request('DELETE', `/user/${store.customer.email}`)
  const { rows } = await store.db.execute(sql`select count(*)::integer as lines from cart_lines`)
  assert.deepEqual(rows, [{ lines: 0 }])
})

const pastedUrl = '/cart?pasted=list#pasted'

test('of a list that a form has sent without a script the basket knows for a day what was put in, and keeps the rest in its field', async () => {
  await using store = await anEmptyStore()
  const sku = await skuOf(store, await createProduct(store, { pieces: 5, minimum: 1 }))
  let cookie = ''
  const send = async (url: string, fields: Record<string, string>) => {
    const headers = { 'content-type': 'application/x-www-form-urlencoded', cookie }
    const response = await store.app.inject({ method: 'POST', url, headers, payload: new URLSearchParams(fields).toString() })
    cookie = response.cookies.find(({ name }) => name === 'nucleus.cart')?.value.replace(/^/, 'nucleus.cart=') ?? cookie
    return [response.statusCode, response.headers.location]
  }
  const pasted = async (asked = cookie) => {
    const answer = await store.visitor.request('GET', '/cart/pasted', undefined, { cookie: asked })
    return showPastedList.schema.response[200].parse(answer.json()).list
  }
  assert.deepEqual(await send('/cart/paste', { text: ' ' }), [303, '/cart?refused=list_empty'])
  assert.equal(cookie, '', 'nothing is written for a list of nothing')
  assert.deepEqual(await send('/cart/paste', { text: `${sku} 2\n<b>none</b> 2\n\n${sku} 9` }), [303, pastedUrl])
  const first = await pasted()
  assert.deepEqual([first?.text, first?.added, first?.problem], [`<b>none</b> 2\n${sku} 9`, 1, null])
  assert.deepEqual(first?.notAdded[0], { text: '<b>none</b> 2', reason: 'No part has this number' })
  assert.match(first?.notAdded[1]?.reason ?? '', /2 are in your basket/)

  const cut = `${'x'.repeat(199)}\u{1f5a5}`
  assert.deepEqual(await send('/cart/paste', { text: `\0${cut}` }), [303, pastedUrl], 'no half of a character, and no NUL')
  assert.equal((await pasted())?.text, `${cut.slice(0, 199)}\ufffd`)

  const tooMany = `${sku} 1\n`.repeat(201)
  for (const [text, problem] of [
    [tooMany, 'A list has at most 200 lines: paste it in parts'],
    ['x'.repeat(20_001), 'A list has at most 20,000 characters'],
  ] as const) {
    assert.deepEqual(await send('/cart/paste', { text }), [303, pastedUrl])
    assert.deepEqual(await pasted(), { text, added: 0, notAdded: [], problem }, 'what was typed is kept')
  }
  const { token } = (await store.visitor.request('POST', '/cart/share', undefined, { cookie })).json()
  await send('/cart/paste', { text: `${sku} 3` })
  assert.deepEqual(await send(`/cart/shared/${token}`, {}), [303, pastedUrl])
  assert.deepEqual([(await pasted())?.text, (await pasted())?.notAdded.length], ['', 1])
  for (const other of ['', `nucleus.cart=${'A'.repeat(32)}`]) assert.equal(await pasted(other), null)

  await store.db.execute(sql`update pasted_lists set sent_at = now() - interval '1 day'`)
  assert.equal(await pasted(), null)
  await deleteOldCarts(store.db)
  assert.equal(await store.db.$count(sql`pasted_lists`), 0)
})

test('forms do the same without a script, and lead to the basket with what was refused', async () => {
  await using store = await anEmptyStore()
  const [drill, saw] = [await createProduct(store, { minimum: 5 }), await createProduct(store, { name: 'Saw' })]
  const jar = new Map<string, string>()
  const send = async (url: string, fields: Record<string, string>) => {
    const cookie = [...jar].map(([name, value]) => `${name}=${value}`).join('; ')
    const headers = { 'content-type': 'application/x-www-form-urlencoded', cookie }
    const response = await store.app.inject({ method: 'POST', url, headers, payload: new URLSearchParams(fields).toString() })
    for (const { name, value } of response.cookies) jar.set(name, value)
    return [response.statusCode, response.headers.location ?? response.body]
  }
  const cart = async () => {
    const cookie = [...jar].map(([name, value]) => `${name}=${value}`).join('; ')
    return quantitiesIn(cartIn(await store.visitor.request('GET', '/cart', undefined, { cookie })))
  }

  assert.deepEqual(await send('/cart/add', { productId: drill }), [303, '/cart'])
  assert.deepEqual(await send('/cart/add', { productId: saw, quantity: '3' }), [303, '/cart'])
  assert.deepEqual(await cart(), { Drill: 5, Saw: 3 })
  assert.deepEqual(await send('/cart/change', { productId: drill, quantity: '7' }), [303, '/cart'])
  assert.deepEqual(await send('/cart/change', { productId: saw, remove: '1' }), [303, '/cart'])
  assert.deepEqual(await cart(), { Drill: 7 })
  assert.deepEqual(await send('/cart/change', { productId: drill, quantity: '2' }), [
    303,
    `/cart?refused=below_minimum&product=${drill}&quantity=2`,
  ])
  assert.deepEqual(await send('/cart/add', { productId: saw, quantity: 'many' }), [
    303,
    `/cart?refused=invalid_request&product=${saw}&quantity=many`,
  ])
  assert.deepEqual(await send('/cart/add', {}), [303, '/cart?refused=invalid_request'])
  const list = `${await skuOf(store, saw)} 2`
  assert.deepEqual(await send('/cart/paste', { text: list }), [303, pastedUrl])
  assert.deepEqual(await send('/cart/seen', {}), [303, '/cart'])
  assert.deepEqual(await cart(), { Drill: 7, Saw: 2 })
})
