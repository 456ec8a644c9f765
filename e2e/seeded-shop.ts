import { setTimeout as pause } from 'node:timers/promises'
import { adminCredentials, type BuiltStore, handToGuest } from './built-store.ts'

/*
 * A shop in the middle of its life, filled by its own calls: people with and without a history, orders in each of their states, reviews,
 * files that were imported. The same every time, so that what its screens show can be compared.
 */

export type Account = { name: string; email: string; token: string; admin: boolean }

/** Who looks at a screen. A newcomer has just registered. */
export type ScreenUser = 'visitor' | 'newcomer' | 'customer' | 'admin'

export type SeededShop = {
  accounts: Record<Exclude<ScreenUser, 'visitor'>, Account>
  /** products, by what is special about them */
  products: { inStock: string; outOfStock: string; memory: string[]; cable: string }
  /** orders of the customer, by how they stand */
  orders: Record<'open' | 'declined' | 'paid' | 'partlyRefunded' | 'refunded' | 'expired' | 'cancelled', Purchase>
  /** orders of three products of the customer: of the open one a part is cancelled, of the paid one a line is refunded and one cancelled */
  ordersOfThree: Record<'open' | 'paid', OrderOfThree>
  /** orders of the customer: one of which a piece was sent, and one that is held back */
  partlySent: Purchase
  heldBack: Purchase
  /** of the partly sent order: here and to be decided */
  returned: { _id: string; number: number }
  /** decided, and a piece is to be sent again */
  toResend: { number: number; orderId: string }
  /** pages of a guest's orders, by how they stand */
  guestLinks: Record<'open' | 'paid', string>
  /** where the customer's paid order is withdrawn from */
  withdrawalPage: string
  imports: { wrong: string; done: string; none: string; stock: string }
}

export type Purchase = { _id: string; number: number; toolId: string; productCost: number }
export type OrderOfThree = { _id: string; number: number; totalCents: number; lines: { _id: string }[] }
type OpenedPayment = { clientSecret: string; publishableKey: string; cardLibrary: string }
type Product = { _id: string; name: string; price: number; minimum_order_quantity: number; available_quantity: number }

const acceptedCardNumber = '4242424242424242'
const declinedCardNumber = '4000000000000002'
/** Of a file that was sent. */
const importStatesInProgress = ['uploading', 'checking', 'importing']
const password = 'correct horse battery'

const otherCustomers = [
  ['Ilse Vermeulen', 'ilse@vermeulen-laptopherstel.example', 'Korenmarkt 5, 9000 Ghent, Belgium'],
  ['Tomasz Wrona', 'warsztat@technikum4.example', 'ul. Piotrkowska 88, 90-103 Łódź, Poland'],
  ['Priya Raman', 'orders@coromandel.example', '14 Mount Road, Chennai 600002, India'],
  ['Marcus Doyle', 'marcus.doyle@doyle-network-services.example', 'Unit 3, Marina Park, Cork T12 KX8V, Ireland'],
  ['Ana Lucía Herrera', 'taller@herrera.example', 'Av. Juárez 210, 44100 Guadalajara, Mexico'],
] as const

/** What is done by somebody at an address of their own: registrations and sign-ins from one are slowed down. */
let addresses = 0

export async function seedShop({ address, sql }: BuiltStore): Promise<SeededShop> {
  const tools: Product[] = await ask('GET', '/tools')
  const tool = (place: number): Product => tools[place] ?? fail('The catalogue to start with is too small')
  const inKind = async (category: string): Promise<string[]> => {
    const found: { tools: { _id: string }[] } = await ask('GET', `/search?category=${category}&in_stock=yes&limit=24`)
    return found.tools.map(({ _id }) => _id)
  }
  const soldOut = tools.find((part) => part.available_quantity < part.minimum_order_quantity) ?? fail('Everything is in stock')

  const owner = await enter('sign-in', { name: 'Store owner', ...adminCredentials })
  const customer = await enter('sign-up', { name: 'Ada Byron', email: 'ada.byron@analytical-engines.example', password })
  await ask('PUT', `/users/${customer.email}`, customer, {
    picture: '/drawings/avatar.svg',
    education: 'Mathematics, by private tuition',
    location: 'London, United Kingdom',
    phone: '+44 20 7946 0018',
    linkedIn: 'https://www.linkedin.com/in/ada-byron',
  })

  const home = '12 Analytical Road\nLondon W1G 8YS\nUnited Kingdom'
  const expired = await place(customer, tool(3), home)
  await sql(`update orders set hold_until = now() - interval '1 second' where id = $1`, [expired._id])
  await sql(`update job_runs set began_at = began_at - interval '1 day'`) // it looks again at once
  const refunded = await pay(customer, await place(customer, tool(6), home))
  await giveBack(refunded, { amountCents: refunded.productCost * 100, restock: 1, reason: 'They came with the wrong plug' })
  const partlyRefunded = await pay(customer, await place(customer, tool(4), home))
  await giveBack(partlyRefunded, { amountCents: 1250, restock: 1, reason: 'One of them came bent' })
  const cancelled = await place(customer, tool(8), home)
  await ask('POST', `/purchase/${cancelled._id}/cancel`, customer, {})
  const paid = await pay(customer, await place(customer, tool(10), home))
  const declinedOrder = await place(customer, tool(12), home)
  await tryCard(customer, declinedOrder, declinedCardNumber)
  const open = await place(customer, tool(0), home)

  for (const [nth, [name, email, at]] of otherCustomers.entries()) {
    const person = await enter('sign-up', { name, email, password })
    const order = await place(person, tool(20 + nth), at)
    if (nth % 2 === 0) await pay(person, order)
  }
  const dealers = await ask<{ _id: string }>('POST', '/customer-groups', owner, { name: 'Dealers', percentOff: 8 })
  await ask('PUT', `/users/${otherCustomers[0][1]}/customer-group`, owner, { groupId: dealers._id })
  const { part } = await ask<{ part: { sku: string; price: number } }>('GET', `/products/${tool(0)._id}`)
  await ask('POST', '/buyer-prices', owner, { sku: part.sku, price: Math.ceil(part.price * 85) / 100, groupId: dealers._id })
  await ask('POST', '/buyer-prices', owner, { sku: part.sku, price: Math.ceil(part.price * 80) / 100, email: otherCustomers[1][1] })
  await ask('POST', '/discount-codes', owner, { code: 'SPRING-10', percentOff: 10, minimum: 50, maxUses: 500 })
  const ended = await ask<{ _id: string }>('POST', '/discount-codes', owner, { code: 'WELCOME', amountOff: 5 })
  await ask('POST', `/discount-codes/${ended._id}/end`, owner, {})

  const guestEmail = 'gwen@visitors.example'
  const [openOfGuest, paidOfGuest] = [await place(customer, tool(14), home), await place(customer, tool(15), home)]
  await pay(customer, paidOfGuest)
  const guestLinks = {
    open: await handToGuest({ sql }, openOfGuest._id, guestEmail),
    paid: await handToGuest({ sql }, paidOfGuest._id, guestEmail),
  }

  await sql(`update orders set country = 'DE' where id = $1`, [paid._id])
  const { page: withdrawalPage } = await ask<{ page: string }>('GET', `/orders/${paid._id}/withdrawal`, customer)

  const openOfThree = await placeThree(customer, [tool(30), tool(31), tool(32)], home)
  await ask('POST', `/purchase/${openOfThree.lines[1]?._id}/cancel`, customer, {})
  const paidOfThree = await placeThree(customer, [tool(33), tool(34), tool(35)], home)
  const [bent, recalled] = paidOfThree.lines
  if (!bent || !recalled) throw new Error('The order has no lines')
  await pay(customer, { _id: bent._id, productCost: paidOfThree.totalCents / 100 })
  await ask('POST', `/purchase/${bent._id}/refund`, owner, { amountCents: 550, restock: 0, reason: 'One of them came bent' })
  await ask('POST', `/purchase/${recalled._id}/cancel`, owner, { reason: 'The maker has called these back' })
  const partlySent = await pay(customer, await place(customer, tool(16), home))
  const carried = { carrier: 'DHL', trackingNumber: '00340434161094015902' }
  await ask('POST', `/orders/${partlySent._id}/shipments`, owner, { lines: [{ _id: partlySent._id, quantity: 1 }], ...carried })
  const heldBack = await pay(customer, await place(customer, tool(17), home))
  await ask('PUT', `/orders/${heldBack._id}/held-back`, owner, { reason: 'Ask the buyer for the floor: the lift takes no pallet' })
  const askForReturn = (order: Purchase, note: string) =>
    ask<{ _id: string; number: number; orderId: string }>('POST', `/orders/${order._id}/returns`, customer, {
      lines: [{ _id: order._id, quantity: 1, reason: 'damaged on the way' }],
      note,
    })
  const sent = await pay(customer, await place(customer, tool(18), home))
  await ask('POST', `/orders/${sent._id}/shipments`, owner, { lines: [{ _id: sent._id, quantity: 2 }], ...carried })
  const toResend = await askForReturn(sent, 'The connector is bent.')
  const arrive = (id: string, order: Purchase) => ask('PUT', `/returns/${id}/arrived`, owner, { lines: [{ _id: order._id, arrived: 1 }] })
  await arrive(toResend._id, sent)
  await ask('POST', `/returns/${toResend._id}/decisions`, owner, { decisions: [{ _id: sent._id, quantity: 1, outcome: 'repair' }] })
  const returned = await askForReturn(partlySent, 'The box was wet, and one corner of the board is broken.')
  await arrive(returned._id, partlySent)
  await ask('POST', '/reviews', customer, {
    name: 'Ada Byron',
    img: '/drawings/avatar.svg',
    about: 'Counted, complete and two days early. The part numbers on the bags are those of the order.',
    rating: 4.5,
  })
  await ask('POST', `/products/${partlySent.toolId}/reviews`, customer, {
    name: 'Ada Byron',
    about: 'Does what the maker says, and fits at once.\n\nThe box is larger than it would have to be.',
    rating: 4.5,
  })
  const newcomer = await enter('sign-up', { name: 'Grace Hopper', email: 'grace@hopper.example', password })

  const head = 'sku;name;price;minimum_order_quantity;available_quantity;category;mpn;specs.height_mm'
  const wrong = await send('coolers.csv', [
    head,
    'PC-1;Tower cooler 140 mm;45;5;120;cpu-cooler;TC-140;158.5',
    'PC-2;Low cooler 92 mm;twenty;5;80;cpu-cooler;LC-92;37',
    'PC-3;Liquid cooler 360 mm;129;1;40;cpu-cooler;1E+05;52',
  ])
  const done = await send('fans.csv', [head, 'PC-4;Case fan 120 mm, set of 3;24;5;200;case-fan;CF-120;'])
  await ask('POST', `/imports/${done}/run`, owner, { skipWrong: true })
  const none = await send('parts.xlsx', ['PK\u0003\u0004 a workbook'])
  await waitUntil('the files are read', async () => {
    const imports = await ask<{ state: string }[]>('GET', '/imports', owner)
    return imports.every(({ state }) => !importStatesInProgress.includes(state))
  })
  const stock = await send('stocktake.csv', ['sku;available_quantity', 'PC-4;180'])
  const standing = () => ask<{ state: string }>('GET', `/purchase/${expired._id}`, customer)
  await waitUntil('the hold of an order has ended', async () => (await standing()).state === 'expired')

  const [cable = ''] = await inKind('cable')
  return {
    accounts: { customer, newcomer, admin: { ...owner, admin: true } },
    products: { inStock: tool(0)._id, outOfStock: soldOut._id, memory: (await inKind('memory')).slice(0, 4), cable },
    ...{ partlySent, heldBack, returned, toResend },
    ordersOfThree: { open: openOfThree, paid: paidOfThree },
    guestLinks,
    withdrawalPage,
    orders: { open, declined: declinedOrder, paid, partlyRefunded, refunded, expired, cancelled },
    imports: { wrong, done, none, stock },
  }

  async function ask<Said>(method: string, path: string, who?: Account, body?: unknown, more: Record<string, string> = {}): Promise<Said> {
    const answer = await fetch(`${address}/api${path}`, {
      method,
      headers: {
        ...(who && { authorization: `Bearer ${who.token}` }),
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...more,
      },
      ...(body !== undefined && { body: body instanceof Blob ? body : JSON.stringify(body) }),
    })
    if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${await answer.text()}`)
    return answer.json()
  }

  async function enter(way: 'sign-in' | 'sign-up', account: { name: string; email: string; password: string }): Promise<Account> {
    const { name, email } = account
    const origin = { origin: address, 'x-forwarded-for': `10.2.0.${++addresses}` }
    const { token } = await ask<{ token: string }>('POST', `/auth/${way}/email`, undefined, account, origin)
    return { name, email, token, admin: false }
  }

  function place(buyer: Account, part: Product, buyerAddress: string): Promise<Purchase> {
    const productQuantity = part.minimum_order_quantity
    const wish = { toolId: part._id, productName: part.name, productQuantity, productCost: productQuantity * part.price }
    return ask('POST', '/purchase', buyer, { ...wish, buyerAddress, phone_number: '+44 20 7946 0018' })
  }

  function placeThree(buyer: Account, parts: Product[], buyerAddress: string): Promise<OrderOfThree> {
    const lines = parts.map((part) => ({ productId: part._id, quantity: part.minimum_order_quantity }))
    return ask('POST', '/orders', buyer, { lines, buyerAddress, phone_number: '+44 20 7946 0018' })
  }

  /** The card form's part: tells the card provider, and nobody else. @returns the payment */
  async function tryCard(buyer: Account, order: Pick<Purchase, '_id' | 'productCost'>, number: string): Promise<string> {
    const opened = await ask<OpenedPayment>('POST', '/create-payment-intent', buyer, { orderId: order._id, productCost: order.productCost })
    const [intent = ''] = opened.clientSecret.split('_secret_')
    const card = { number, exp_month: '12', exp_year: '39', cvc: '123' }
    await fetch(new URL(`/v1/payment_intents/${intent}/confirm`, opened.cardLibrary), {
      method: 'POST',
      body: new URLSearchParams({
        key: opened.publishableKey,
        client_secret: opened.clientSecret,
        'payment_method_data[type]': 'card',
        ...Object.fromEntries(Object.entries(card).map(([name, value]) => [`payment_method_data[card][${name}]`, value])),
      }),
    })
    return intent
  }

  async function pay(buyer: Account, order: Pick<Purchase, '_id' | 'productCost'>): Promise<Purchase> {
    const transectionId = await tryCard(buyer, order, acceptedCardNumber)
    return ask('PATCH', `/purchase/${order._id}`, buyer, { pay: true, transectionId })
  }

  function giveBack({ _id }: Purchase, body: object) {
    return ask('POST', `/purchase/${_id}/refund`, owner, body)
  }

  async function send(name: string, rows: string[]): Promise<string> {
    const type = { 'content-type': 'application/octet-stream' }
    const { _id } = await ask<{ _id: string }>('POST', `/imports?name=${name}`, owner, new Blob([rows.join('\r\n')]), type)
    const standing = () => ask<{ state: string }>('GET', `/imports/${_id}`, owner)
    await waitUntil(`${name} is read`, async () => !importStatesInProgress.includes((await standing()).state))
    return _id
  }
}

/** A shop before its first product: the owner has taken the catalogue to start with out of it. */
export async function clearCatalogue({ address, sql }: BuiltStore): Promise<{ admin: Account }> {
  await sql('delete from reviews')
  const origin = { origin: address, 'x-forwarded-for': `10.2.0.${++addresses}`, 'content-type': 'application/json' }
  const entered = await fetch(`${address}/api/auth/sign-in/email`, {
    method: 'POST',
    headers: origin,
    body: JSON.stringify(adminCredentials),
  })
  const { token }: { token: string } = await entered.json()
  const tools: Product[] = await (await fetch(`${address}/api/tools`)).json()
  for (const { _id } of tools)
    await fetch(`${address}/api/tools/${_id}`, { method: 'DELETE', headers: { authorization: `Bearer ${token}` } })
  await waitUntil('the search has followed', async () => (await (await fetch(`${address}/api/search`)).json()).total === 0)
  return { admin: { name: 'Store owner', email: adminCredentials.email, token, admin: true } }
}

async function waitUntil(what: string, so: () => Promise<boolean>): Promise<void> {
  const patience = performance.now() + 90_000
  while (!(await so())) {
    if (performance.now() > patience) throw new Error(`Not in 90 s: ${what}`)
    await pause(100)
  }
}

function fail(why: string): never {
  throw new Error(why)
}
