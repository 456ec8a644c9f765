import { fullRunJourney } from '../proof/full-run.ts'
import { adminCredentials, expect, openAsAdmin, registerByApi, signIn, signInAsAdmin, test } from './store.ts'

test(
  'an admin gives a group a percentage and a customer a price, who sees it on every page and pays it',
  fullRunJourney,
  async ({ page, buyer, browser }) => {
    const visitor = await (await browser.newContext()).newPage()
    await registerByApi(visitor, buyer)
    await signInAsAdmin(page)
    const authorization = `Bearer ${await page.evaluate(() => localStorage.getItem('accessToken'))}`
    const data = {
      ...{ name: 'Dealer drive', img: '/drawings/ssd.svg', description: 'Stores what dealers sell.' },
      ...{ price: 80, minimum_order_quantity: 1, available_quantity: 50 },
    }
    const { _id: id } = await (await page.request.post('/api/tools', { headers: { authorization }, data })).json()
    const { part } = await (await page.request.get(`/api/products/${id}`)).json()

    await page.goto('/dashboard/prices')
    const main = page.getByRole('main')
    await main.getByLabel('Name of the group').fill('Dealers')
    await main.getByLabel('Percent off').first().fill('99')
    await main.getByRole('button', { name: 'Add group' }).click()
    await expect(main.getByLabel('Percent off').first()).toHaveAccessibleDescription(/At most 90 percent/)
    await main.getByLabel('Percent off').first().fill('10')
    await main.getByRole('button', { name: 'Add group' }).click()
    await main.getByLabel('E-mail of a customer for Dealers').fill('nobody@shop.example')
    await main.getByRole('button', { name: 'Add member' }).click()
    await expect(main.getByLabel('E-mail of a customer for Dealers')).toHaveAccessibleDescription(/There is no account with this e-mail/)
    await main.getByLabel('E-mail of a customer for Dealers').fill(buyer.email)
    await main.getByRole('button', { name: 'Add member' }).click()
    await expect(main).toContainText('1 member')

    await visitor.goto(`/products/${id}`)
    const shop = visitor.getByRole('main')
    await expect(shop).toContainText('Your price: $72')
    await visitor.goto('/allproducts?q=Dealer+drive')
    await expect(shop).toContainText('Your price: $72')
    await visitor.getByRole('searchbox').fill('Dealer')
    await expect(visitor.getByRole('option').filter({ hasText: 'Dealer drive' })).toContainText('$72')
    const listTotal = shop.getByText('minimum 1 = $80') // what the smallest order costs everybody else
    await expect(listTotal).toHaveCount(1)
    await expect(listTotal).toBeHidden()

    await main.getByLabel('SKU of the product').fill(part.sku)
    await main.getByLabel('Price of one piece').fill('64.50')
    await main.getByLabel('E-mail of a customer', { exact: true }).fill(buyer.email)
    await main.getByRole('button', { name: 'Set price' }).click()
    await expect(main.getByRole('table', { name: 'Prices' }).getByRole('row').nth(1)).toContainText('$64.50')
    await main.getByLabel('Search products, e-mails and groups').fill('nothing like it')
    await main.getByRole('button', { name: 'Search' }).click()
    await expect(main).toContainText('No price with “nothing like it”')

    await visitor.goto(`/products/${id}`)
    await expect(shop).toContainText('Your price: $64.50')
    await expect(shop).toContainText('1 x $64.50 = $64.50')
    await visitor.getByRole('link', { name: 'Buy Now' }).first().click()
    await visitor.waitForURL(`**/purchase/${id}?quantity=1`)
    await expect(shop).toContainText('Your own price. The list price is $80')
    await visitor.getByLabel('Quantity').fill('2')
    await visitor.getByLabel('Address').fill('1 Road')
    await visitor.getByLabel('Phone number').fill('+1 555 010 0199')
    await expect(visitor.getByRole('button', { name: 'Order 2 for $129' })).toBeVisible()

    // A discount code comes off what the buyer pays; one that cannot be used says why, and orders nothing.
    const code = { code: 'AUTUMN-20', percentOff: 20 }
    expect((await page.request.post('/api/discount-codes', { headers: { authorization }, data: code })).status()).toBe(201)
    await expect(visitor.getByLabel('Discount code')).toBeHidden()
    await visitor.getByText('Have a code?').click()
    await visitor.getByLabel('Discount code').fill('no such code')
    await visitor.getByRole('button', { name: 'Order 2 with the code' }).click()
    await expect(visitor.getByLabel('Discount code')).toHaveAccessibleDescription(/A code has 3 to 32 letters/)
    await visitor.getByLabel('Discount code').fill('autumn-30')
    await visitor.getByRole('button', { name: 'Order 2 with the code' }).click()
    await expect(visitor.getByLabel('Discount code')).toHaveAccessibleDescription(/There is no code AUTUMN-30/)
    await expect(shop).toContainText('Nothing was ordered, and what you typed is kept.')
    await visitor.getByLabel('Discount code').fill(' autumn-20 ')
    await visitor.getByRole('button', { name: 'Order 2 with the code' }).click()
    await expect(shop).toContainText('2 x Dealer drive for $103.20: the code AUTUMN-20 took $25.80 off.')
    await visitor.getByRole('link', { name: 'Pay $103.20' }).click()
    await expect(shop).toContainText('Goods$129Reduction by the code AUTUMN-20-$25.80Total$103.20')
    await visitor.context().close()

    await main.getByLabel('Code', { exact: true }).fill('spring-10')
    await main.getByRole('button', { name: 'Add code' }).click()
    await expect(main.getByLabel('Percent off').last()).toHaveAccessibleDescription(/A code takes a percentage or an amount off/)
    await main.getByLabel('Percent off').last().fill('10')
    await main.getByRole('button', { name: 'Add code' }).click()
    const codes = main.getByRole('table', { name: 'Codes' })
    await expect(codes).toContainText('SPRING-10')
    await codes.getByRole('button', { name: 'End, SPRING-10' }).click()
    await page.getByRole('button', { name: 'End SPRING-10' }).click()
    await expect(codes).toContainText('Ended')
    await codes.getByRole('button', { name: 'Bring back, SPRING-10' }).click()
    await expect(page.getByLabel('Last day of the code')).toHaveAccessibleDescription('In time zone UTC; empty: no end, as before')
    await page.getByRole('button', { name: 'Bring SPRING-10 back' }).click()
    await expect(codes.getByRole('button', { name: 'End, SPRING-10' })).toBeVisible()
    await main.getByRole('button', { name: 'Remove group Dealers' }).click()
    await page.getByRole('button', { name: 'Remove Dealers' }).click()
    await expect(main.getByLabel('E-mail of a customer for Dealers')).toHaveCount(0)
  },
)

test(
  'each form of the page Prices keeps what was typed when the sign-in has ended, and is empty again once it is sent',
  fullRunJourney,
  async ({ page }) => {
    await signInAsAdmin(page, { anew: true }) // which this journey ends
    await page.goto('/dashboard/prices')
    const main = page.getByRole('main')
    const newGroup = main.locator('form').filter({ has: page.getByRole('button', { name: 'Add group' }) })
    const school = main.getByRole('listitem', { name: 'Schools' })
    await newGroup.getByLabel('Name of the group').fill('Schools')
    await newGroup.getByRole('button', { name: 'Add group' }).click()
    await expect(school).toBeVisible()
    await expect(newGroup.getByLabel('Name of the group')).toHaveValue('')
    const typed = [
      [newGroup.getByLabel('Name of the group'), 'Workshops'],
      [newGroup.getByLabel('Percent off'), '15'],
      [school.getByLabel('Percent off'), '20'],
      [school.getByLabel('E-mail of a customer for Schools'), 'ada@shop.example'],
      [main.getByLabel('SKU of the product'), 'N-1'],
      [main.getByLabel('Price of one piece'), '12.50'],
      [main.getByLabel('Code', { exact: true }), 'autumn-15'],
      [main.getByLabel('Amount off'), '15'],
      [main.getByLabel('Last day'), '2099-12-31'],
    ] as const
    for (const [field, value] of typed) await field.fill(value)
    await page.evaluate(async () => {
      const authorization = `Bearer ${localStorage.getItem('accessToken')}`
      await fetch('/api/auth/sign-out', { method: 'POST', headers: { authorization, 'content-type': 'application/json' }, body: '{}' })
    })

    await main.getByRole('button', { name: 'Add code' }).click()
    await main.getByRole('link', { name: 'Sign in and go on' }).click()
    await page.waitForURL('**/login*')
    await signIn(page, adminCredentials)

    for (const [field, value] of typed) await expect(field).toHaveValue(value)
    await newGroup.getByRole('button', { name: 'Add group' }).click()
    await expect(main.getByRole('listitem', { name: 'Workshops' })).toBeVisible()
    await expect(newGroup.getByLabel('Name of the group')).toHaveValue('')
    await expect(newGroup.getByLabel('Percent off')).toHaveValue('0')
    await main.getByRole('button', { name: 'Add code' }).click()
    await expect(main.getByRole('table', { name: 'Codes' })).toContainText('AUTUMN-15')
    await expect(main.getByLabel('Code', { exact: true })).toHaveValue('')
    await page.reload()
    await expect(main.getByLabel('SKU of the product'), 'what was not sent is kept').toHaveValue('N-1')
    await expect(main.getByLabel('Code', { exact: true })).toHaveValue('')
  },
)

test('members, prices and codes after the first page are reached by links, each list by itself', fullRunJourney, async ({ page }) => {
  // Made up: a hundred accounts and four hundred prices would take longer than all journeys.
  const [groupId, priceId, codeId] = [crypto.randomUUID(), crypto.randomUUID(), crypto.randomUUID()]
  const keys = { price: `1700000000000000.${priceId}`, code: `1.1700000000000000.${codeId}` }
  const price = {
    _id: priceId,
    productId: crypto.randomUUID(),
    sku: 'N-1',
    listPrice: 20,
    price: 18,
    email: 'ada@shop.example',
    group: null,
  }
  const code = {
    ...{ _id: codeId, percentOff: 10, amountOffCents: null, minimumCents: 0, maxUses: null, uses: 0 },
    ...{ startsAt: '2026-11-01T00:00:00.000Z', endsAt: null, periodEndsAt: null },
  }
  const group = { _id: groupId, name: 'Dealers', percentOff: 10, memberCount: 3, members: ['ada@shop.example', 'ben@shop.example'] }
  await page.route(/\/api\/customer-groups$/, (route) => route.fulfill({ json: [group] }))
  await page.route(/\/api\/customer-groups\/.*\/members\?after=ben%40shop\.example$/, (route) =>
    route.fulfill({ json: { members: ['zoe@shop.example'], hasMore: false } }),
  )
  const isNextPage = (url: string, key: string) => new URL(url).searchParams.get('cursor') === key
  await page.route(/\/api\/buyer-prices/, (route) => {
    const isNext = isNextPage(route.request().url(), keys.price)
    const json = { prices: [{ ...price, productName: isNext ? 'Older drive' : 'Newer drive' }], total: 2, next: isNext ? null : keys.price }
    return route.fulfill({ json })
  })
  await page.route(/\/api\/discount-codes/, (route) => {
    const isNext = isNextPage(route.request().url(), keys.code)
    const json = { codes: [{ ...code, code: isNext ? 'OLDER-10' : 'NEWER-10' }], total: 2, next: isNext ? null : keys.code }
    return route.fulfill({ json })
  })
  await openAsAdmin(page, '/dashboard/prices')
  const main = page.getByRole('main')
  const [members, prices, codes] = [
    main.getByRole('list', { name: 'Members of Dealers' }),
    main.getByRole('table', { name: 'Prices' }),
    main.getByRole('table', { name: 'Codes' }),
  ]
  const turn = (list: string, link: string) => main.getByRole('navigation', { name: list }).getByRole('link', { name: link }).click()

  await expect(members.getByRole('listitem')).toHaveCount(2)
  await turn('Pages of the members of Dealers', 'Next page')
  await expect(members).toContainText('zoe@shop.example')
  await expect(members.getByRole('listitem')).toHaveCount(1)
  await expect(members.getByRole('button', { name: 'Take out, zoe@shop.example' })).toBeVisible()
  await turn('Pages of prices', 'Next page')
  await expect(prices).toContainText('Older drive')
  await turn('Pages of codes', 'Next page')
  await expect(codes).toContainText('OLDER-10')
  await page.reload()
  await expect(members).toContainText('zoe@shop.example')
  await expect(prices).toContainText('Older drive')
  await turn('Pages of prices', 'First page')
  await expect(prices).toContainText('Newer drive')
  await expect(codes).toContainText('OLDER-10')
  await turn('Pages of the members of Dealers', 'First page')
  await expect(members).toContainText('ada@shop.example')
})
