import type { Page } from '@playwright/test'
import { fullRunJourney } from '../proof/full-run.ts'
import { expectColour } from './colour.ts'
import {
  expect,
  fillCardForm,
  fillPurchaseForm,
  openAsAdmin,
  placePurchase,
  registerByApi,
  registerByForm,
  restoreSession,
  signIn,
  test,
} from './store.ts'

type Tool = { _id: string; name: string; price: number; minimum_order_quantity: number; available_quantity: number }

test('a visitor becomes a customer, orders, pays by card, and the owner sees it paid', async ({ page, buyer, store, browser }) => {
  const [tool]: Tool[] = await (await fetch(`${store.address}/api/tools`)).json()
  if (!tool) throw new Error('The store has no catalogue')
  const quantity = Math.max(tool.minimum_order_quantity + 2, Math.ceil(1000 / tool.price))
  const cost = `$${(tool.price * quantity).toLocaleString('en-US')}`
  expect(cost).toMatch(/^\$\d+,\d{3}$/)

  await page.goto('/')
  await expect(page.getByText('No user logged in')).toBeVisible()
  await page.getByRole('link', { name: `Buy Now, ${tool.name}` }).click()

  // A visitor goes to /login, on to /register, and comes back to the tool.
  await page.waitForURL('**/login?from=*')
  await page.getByRole('link', { name: 'Go to Register' }).click()
  await page.getByLabel('Full name').fill(buyer.name)
  await page.getByLabel('E-mail').fill(buyer.email)
  await page.getByLabel('Password', { exact: true }).fill(buyer.password)
  await page.getByRole('button', { name: 'Register' }).click()
  await page.waitForURL(`**/purchase/${tool._id}`)
  await expect(page.getByRole('navigation', { name: 'Main' })).toContainText(buyer.name)
  expect(await page.evaluate(() => localStorage.getItem('accessToken'))).toMatch(/^\w{20,}$/)

  await expect(page.getByRole('textbox', { name: 'E-mail' })).toHaveValue(buyer.email)
  await expect(page.getByLabel('Name', { exact: true })).toHaveValue(buyer.name)
  for (const label of ['Name', 'E-mail']) await expect(page.getByRole('textbox', { name: label, exact: true })).not.toBeEditable()
  await page.getByLabel('Address').fill('12 Analytical Road\nLondon')
  await page.getByLabel('Phone number').fill('+44 20 7946 0018')
  await page.getByLabel('Quantity').fill(`${quantity}`)
  await page.getByRole('button', { name: `Order ${quantity} for ${cost}` }).click()
  await expect(page.getByRole('main').getByText('order placed successfully')).toBeVisible()
  await expect(page.getByText('order placed successfully')).toHaveCount(1) // no toast lies on it and says it again

  await page.getByRole('link', { name: 'My Orders' }).first().click()
  const order = page.getByRole('row').filter({ hasText: tool.name })
  await expect(order).toContainText(`${quantity}`)
  await expect(order).toContainText(cost)
  await order.getByRole('link', { name: 'Pay Now' }).click()

  await expect(page.getByRole('main')).toContainText(tool.name)
  await expect(page.getByRole('main').locator('dl')).toContainText(cost)
  await expect(page.getByRole('definition').filter({ hasText: buyer.email })).toContainText(buyer.name)
  await expect(page.getByRole('main').locator('dl')).toContainText(`${quantity} x $${tool.price.toLocaleString('en-US')}`)
  await fillCardForm(page, '4242 4242 4242 4242')
  await page.getByRole('button', { name: `Pay ${cost}` }).click()
  await expect(page.getByText('Payment successfully done...')).toBeVisible()
  await expect(page.getByRole('main').getByText(`You have paid ${cost} for ${quantity} x ${tool.name}.`)).toContainText(
    'Print or save this receipt; the order stands as paid in My Orders.',
  )
  const transaction = await page.getByText('TransectionID:').innerText()
  const transectionId = transaction.replace('TransectionID:', '').trim()
  expect(transectionId).toMatch(/^pi_\w+$/)

  await page.getByRole('link', { name: 'My Orders' }).first().click()
  await expect(order.getByText('Paid', { exact: true })).toBeVisible()
  await expect(order).toContainText(`Transaction ID: ${transectionId}`)
  await expect(order.getByRole('link', { name: 'Pay Now' })).toHaveCount(0)

  const office = await browser.newPage({ baseURL: store.address })
  await openAsAdmin(office, '/dashboard/manageallorders')
  const seen = office.getByRole('row').filter({ hasText: buyer.email })
  await expect(seen).toContainText(buyer.name)
  await expect(seen).toContainText('12 Analytical Road')
  await expect(seen).toContainText(cost)
  await expectColour(seen.getByText('Paid', { exact: true }), 'green')
  await office.close()

  const left: Tool = await (await fetch(`${store.address}/api/tools/${tool._id}`)).json()
  expect(left.available_quantity).toBe(tool.available_quantity - quantity)
})

test('an order whose answer got lost is one order when it is sent again', fullRunJourney, async ({ page, buyer, store }) => {
  const [, , tool]: Tool[] = await (await fetch(`${store.address}/api/tools`)).json()
  await registerByApi(page, buyer)
  await fillPurchaseForm(page, tool?._id)
  // The order reaches the store, the answer never comes back.
  await page.route('**/api/purchase', async (route) => {
    await route.fetch()
    await route.abort()
  })
  await page.getByRole('button', { name: /^Order \d/ }).click()
  await expect(page.getByRole('main').getByRole('alert')).toContainText('We do not know whether your order has arrived')
  await page.unroute('**/api/purchase')
  await page.getByRole('button', { name: /^Order \d/ }).click()
  await expect(page.getByRole('main').getByText('order placed successfully')).toBeVisible()

  await page.goto('/dashboard/myorder')
  await expect(page.getByRole('link', { name: /^Pay Now/ })).toHaveCount(1)
})

test(
  'a payment page whose session has ended asks to sign in, and is there again after it',
  fullRunJourney,
  async ({ page, buyer, store }) => {
    const { _id } = await placePurchase(page.request, store.address, buyer)
    await restoreSession(page, buyer, 'no-longer-valid')
    await page.goto(`/dashboard/payment/${_id}`)
    await page.getByRole('link', { name: 'Sign in and go on' }).click()
    await signIn(page, buyer)
    await expect(page.getByRole('heading', { name: /^Pay for order/ })).toBeVisible()
  },
)

test('the quantity says what is wrong while typing, and the button waits; a field speaks after something was typed into it, and is silent from the key that cures it', async ({
  page,
  buyer,
  store,
}) => {
  const tools: Tool[] = await (await fetch(`${store.address}/api/tools`)).json()
  const tool = tools.find((tool) => tool.minimum_order_quantity === 10)
  if (!tool) throw new Error('No tool with a minimum of 10')
  await registerByApi(page, buyer)
  await page.goto(`/purchase/${tool._id}`)
  const quantity = page.getByLabel('Quantity')
  const button = page.getByRole('button', { name: /^Order/ })

  await expect(quantity).toHaveValue('10')
  await expect(button).toBeEnabled()
  await quantity.fill('9')
  await expect(button).toBeDisabled()
  await expect(page.getByText('You must have to order 10 pieces').first()).toBeVisible()
  await quantity.fill(`${tool.available_quantity + 1}`)
  await expect(button).toBeDisabled()
  await expect(page.getByText(`You can't order more than ${tool.available_quantity} pieces`).first()).toBeVisible()
  await quantity.fill('2.5')
  await expect(button).toBeDisabled()
  await quantity.fill(' 25 ')
  await expect(page.getByRole('button', { name: `Order 25 for $${(25 * tool.price).toLocaleString('en-US')}` })).toBeEnabled()

  const phone = page.getByLabel('Phone number')
  const tooShort = 'Phone number must 11 characters or longer'
  await expect(phone).toHaveAccessibleDescription(
    /At least 11 characters, best with country code, like \+1 555 010 0199\. Only for delivery questions/,
  )
  await phone.focus()
  await page.keyboard.press('Tab')
  await expect(page.getByLabel('Quantity')).toBeFocused()
  await expect(page.getByText('Phone number is required')).toHaveCount(0)

  await phone.pressSequentially('+1 555 010')
  await expect(page.getByText(tooShort)).toHaveCount(0)
  await page.keyboard.press('Tab')
  await expect(page.getByText(tooShort)).toBeVisible()
  await phone.press('End')
  await phone.press('0')
  await expect(page.getByText(tooShort)).toHaveCount(0)

  // The message that leaving a field brings must not move the button away while it is being pressed.
  await phone.fill('1')
  await button.scrollIntoViewIfNeeded()
  const place = await button.boundingBox()
  if (!place) throw new Error('There is no button')
  await page.mouse.move(place.x + 20, place.y + 5)
  await page.mouse.down()
  await expect(phone).not.toBeFocused()
  await page.mouse.up()
  await expect(page.getByText('address is required')).toBeVisible()
  await expect(page.getByText(tooShort)).toBeVisible()
  await phone.fill('')
  await expect(page.getByText('Phone number is required')).toBeVisible()
})

test('a quantity on its way to a larger one is no error at any key; one that rests, is left or exceeds the stock is', async ({
  page,
  buyer,
  store,
}) => {
  const tools: Tool[] = await (await fetch(`${store.address}/api/tools`)).json()
  const tool = tools.find((tool) => tool.minimum_order_quantity === 10)
  if (!tool) throw new Error('No tool with a minimum of 10')
  await registerByApi(page, buyer)
  await page.clock.install()
  await page.goto(`/purchase/${tool._id}`)
  const quantity = page.getByLabel('Quantity')
  const button = page.getByRole('button', { name: /^Order/ })
  const line = page.getByRole('status').filter({ hasText: /pieces|=/ })
  const tooFew = 'You must have to order 10 pieces'
  await expect(quantity).toHaveValue('10')
  await page.clock.pauseAt(Date.now() + 60_000)

  await quantity.press('Control+a')
  await quantity.press('2')
  await expect(button).toBeDisabled()
  await expect(page.getByText(tooFew)).toHaveCount(0)
  await expect(page.getByText(`2 x $${tool.price} = $${(2 * tool.price).toLocaleString('en-US')}`)).toBeVisible()
  await quantity.press('5')
  await expect(page.getByText(`25 x $${tool.price} = $${(25 * tool.price).toLocaleString('en-US')}`)).toBeVisible()
  await expect(button).toHaveText(`Order 25 for $${(25 * tool.price).toLocaleString('en-US')}`)
  await expect(button).toBeEnabled()

  await quantity.press('Control+a')
  await quantity.press('9')
  await page.clock.runFor(700)
  await expect(page.getByText(tooFew)).toHaveCount(0)
  await page.clock.runFor(100)
  await expect(quantity).toHaveAccessibleDescription(new RegExp(`^${tooFew}`))
  await expect(line).toHaveText(tooFew)
  await expect(button.locator('xpath=preceding-sibling::*[1]').getByRole('status')).toHaveText(tooFew)
  await expect(button).toHaveAccessibleDescription(tooFew)
  await quantity.press('0')
  await expect(page.getByText(tooFew)).toHaveCount(0)
  await expect(button).toBeEnabled()

  await quantity.press('Control+a')
  await quantity.press('2')
  await quantity.press('Shift+Tab')
  await expect(line).toHaveText(tooFew)
  await expect(quantity).toHaveAccessibleDescription(new RegExp(`^${tooFew}`))

  await quantity.fill(`${tool.available_quantity}`)
  await expect(button).toBeEnabled()
  await quantity.press('0')
  const tooMany = `You can't order more than ${tool.available_quantity} pieces`
  await expect(line).toHaveText(tooMany)
  await expect(quantity).toBeFocused()
  await expect(quantity).toHaveAccessibleDescription(new RegExp(`^${tooMany}`))
  await expect(button).toHaveAttribute('disabled')
})

test('the quantity of a link is what the form begins with, also after the detour to the sign-in', async ({ page, buyer, store }) => {
  const tools: Tool[] = await (await fetch(`${store.address}/api/tools`)).json()
  const tool = tools.find((tool) => tool.minimum_order_quantity === 10)
  await page.goto(`/purchase/${tool?._id}?quantity=35`)
  await page.getByRole('link', { name: 'Go to Register' }).click()
  await page.getByLabel('Full name').fill(buyer.name)
  await page.getByLabel('E-mail').fill(buyer.email)
  await page.getByLabel('Password', { exact: true }).fill(buyer.password)
  await page.getByRole('button', { name: 'Register' }).click()
  await expect(page.getByLabel('Quantity')).toHaveValue('35')
  await page.getByRole('button', { name: 'Logout' }).click()
  await expect(page.getByText('No user logged in')).toBeVisible()
  await page.goto(`/purchase/${tool?._id}?quantity=25`)
  await signIn(page, buyer)
  await expect(page.getByLabel('Quantity')).toHaveValue('25')
  await expect(page.getByRole('button', { name: /^Order 25 for/ })).toBeEnabled()
})

test('what was typed into the purchase form survives a reload and an ended sign-in', async ({ page, buyer, store }) => {
  const [tool]: Tool[] = await (await fetch(`${store.address}/api/tools`)).json()
  await registerByApi(page, buyer)
  const quantity = `${(tool?.minimum_order_quantity ?? 0) + 7}`
  await fillPurchaseForm(page, tool?._id)
  await page.getByLabel('Quantity').fill(quantity)
  const everything = async () => {
    await expect(page.getByLabel('Address')).toHaveValue('12 Analytical Road, London')
    await expect(page.getByLabel('Phone number')).toHaveValue('+44 20 7946 0018')
    await expect(page.getByLabel('Quantity')).toHaveValue(quantity)
  }
  await page.reload()
  await everything()

  // The session ends on the server while the page is open.
  await page.evaluate(async () => {
    const authorization = `Bearer ${localStorage.getItem('accessToken')}`
    await fetch('/api/auth/sign-out', { method: 'POST', headers: { authorization, 'content-type': 'application/json' }, body: '{}' })
  })
  await page.getByRole('button', { name: /^Order \d/ }).click()
  const order = page.getByRole('button', { name: /^Order \d/ })
  await expect(page.getByRole('main').getByRole('alert')).toContainText('Your sign-in has ended')
  await expect(order).toHaveCount(0)
  await page.getByRole('link', { name: 'Sign in and go on' }).click()
  await signIn(page, buyer)
  await everything()

  // Somebody signs out in another tab.
  const other = await page.context().newPage()
  await other.goto('/home')
  await other.getByRole('button', { name: 'Logout' }).click()
  await expect(other.getByText('No user logged in')).toBeVisible()
  await other.close()
  await expect(page.getByRole('main').getByRole('status').filter({ hasText: 'Your sign-in has ended' })).toContainText(
    'Sign in to go on. What you typed is kept.',
  )
  await expect(order).toHaveCount(0)
  await everything()
  await page.getByRole('link', { name: 'Sign in and go on' }).click()
  await signIn(page, buyer)
  await everything()
  await page.getByRole('button', { name: /^Order \d/ }).click()
  await expect(page.getByRole('main').getByText('order placed successfully')).toBeVisible()
})

/** An order of this buyer, and its payment page with the card form ready. */
async function openPayment(page: Page, buyer: Parameters<typeof registerByApi>[1], store: { address: string }, before = async () => {}) {
  const [, , , tool]: Tool[] = await (await fetch(`${store.address}/api/tools`)).json()
  await registerByApi(page, buyer)
  await fillPurchaseForm(page, tool?._id)
  await page.getByRole('button', { name: /^Order \d/ }).click()
  await expect(page.getByRole('link', { name: /^Pay/ })).toBeVisible()
  await before()
  await page.getByRole('link', { name: /^Pay/ }).click()
}

test('a card form that does not come within ten seconds is said not to have loaded, and can be tried again', async ({
  page,
  buyer,
  store,
}) => {
  await page.clock.install()
  let asked = 0
  await page.route('**/sandbox.js', (route) => (++asked === 1 ? undefined : route.continue())) // the first neither comes nor fails
  await openPayment(page, buyer, store, () => page.clock.pauseAt(Date.now() + 60_000)) // otherwise it goes on between the steps
  await expect(page.getByText('Preparing the card form')).toBeVisible()
  await expect(page.getByRole('button', { name: /^Pay/ })).toHaveAttribute('disabled')
  await page.clock.runFor(9000)
  await expect(page.getByText('The card form did not load')).toHaveCount(0)
  await page.clock.runFor(1000)
  await expect(page.getByRole('main').getByRole('alert')).toContainText('The card form did not load')
  await expect(page.getByRole('button', { name: /^Pay/ })).toBeDisabled()

  await page.clock.resume()
  await page.getByRole('button', { name: 'Try again' }).click()
  await fillCardForm(page, '4242 4242 4242 4242')
  await page.getByRole('button', { name: /^Pay/ }).click()
  await expect(page.getByText('Payment successfully done...')).toBeVisible()
})

test('without a network nothing typed is lost and nothing is paid twice, at ordering and at paying', async ({
  page,
  buyer,
  store,
  context,
}) => {
  const [, , , , tool]: Tool[] = await (await fetch(`${store.address}/api/tools`)).json()
  await registerByForm(page, buyer) // whose news has fetched what shows news
  await fillPurchaseForm(page, tool?._id)
  await context.setOffline(true)
  await page.getByRole('button', { name: /^Order \d/ }).click()
  await expect(page.getByRole('main').getByRole('alert')).toContainText('The store cannot be reached. Check your connection and try again.')
  await expect(page.getByLabel('Notifications').getByText('The store cannot be reached.')).toHaveCount(0) // the page says it at the button
  await expect(page.getByText('order placed successfully')).toHaveCount(0)
  await expect(page.getByLabel('Address')).toHaveValue('12 Analytical Road, London')
  await context.setOffline(false)
  await page.getByRole('button', { name: /^Order \d/ }).click()
  await expect(page.getByRole('main').getByText('order placed successfully')).toBeVisible()
  await context.setOffline(true)
  await page.getByRole('link', { name: /^Pay/ }).click()
  await expect(page.getByRole('main').getByRole('alert')).toContainText('this page stays, and goes on to the payment by itself')
  await expect(page.getByRole('main').getByText('order placed successfully')).toBeVisible()
  await context.setOffline(false)
  await expect(page.getByRole('heading', { name: /^Pay for order/ })).toBeVisible()

  // An empty card form says what is missing once for each field.
  const card = page.frameLocator('iframe')
  await expect(card.getByLabel('Card number')).toBeVisible()
  await page.getByRole('button', { name: /^Pay/ }).click()
  await expect(card.getByText(/is incomplete\.$/)).toHaveText([
    'Your card number is incomplete.',
    "Your card's expiration date is incomplete.",
    "Your card's security code is incomplete.",
  ])
  await expect(page.getByRole('main').getByRole('alert')).toHaveCount(0)

  await fillCardForm(page, '4242 4242 4242 4242')
  await context.setOffline(true)
  await page.getByRole('button', { name: /^Pay/ }).click()
  await expect(page.getByRole('main').getByRole('alert')).toContainText('The card provider did not answer')
  await expect(page.getByRole('main').getByRole('alert')).toContainText('you will not be charged twice')
  await context.setOffline(false)
  await expect(page.frameLocator('iframe').getByLabel('Card number')).toHaveValue('4242 4242 4242 4242')

  // The card is charged, and the store does not hear of it at first.
  let told = 0
  await page.route('**/api/purchase/*', (route) =>
    route.request().method() === 'PATCH' && ++told === 1 ? route.abort() : route.continue(),
  )
  await page.getByRole('button', { name: /^Pay/ }).click()
  await expect(page.getByText('We are checking the payment. You will not be charged twice.')).toBeVisible()
  await expect(page.getByText('Payment successfully done...')).toBeVisible()

  await page.goto('/dashboard/myorder')
  await expect(page.getByRole('main').getByText('Paid', { exact: true })).toHaveCount(1)
})

test(
  'a payment page left open while another tab pays shows the receipt, and takes no money twice',
  fullRunJourney,
  async ({ page, buyer, store, context }) => {
    await openPayment(page, buyer, store)
    await fillCardForm(page, '4242 4242 4242 4242')
    const other = await context.newPage()
    await other.goto(page.url())
    await fillCardForm(other, '4242 4242 4242 4242')
    await other.getByRole('button', { name: /^Pay/ }).click()
    await expect(other.getByText('Payment successfully done...')).toBeVisible()
    await other.close()

    await page.getByRole('button', { name: /^Pay/ }).click()
    await expect(page.getByText('Payment successfully done...')).toBeVisible()

    // Back after paying leads to a new order, never to another payment of this one; and forward to the receipt.
    await page.goBack()
    await expect(page.getByRole('heading', { name: 'Who orders, and where it goes' })).toBeVisible()
    await expect(page.getByLabel('Address')).toHaveValue('')
    await page.goForward()
    await expect(page.getByText('Payment successfully done...')).toBeVisible()
    await expect(page.locator('iframe')).toHaveCount(0)
  },
)

test('an order beyond what the account may have waiting is refused in its place with the ways out, and what was typed is kept', async ({
  page,
  buyer,
  store,
}) => {
  await registerByApi(page, buyer)
  const token = await page.evaluate(() => localStorage.getItem('accessToken'))
  const headers = { authorization: `Bearer ${token}` }
  const tools: Tool[] = await (await fetch(`${store.address}/api/tools`)).json()
  const [tool] = tools.filter((each) => each.available_quantity > 40 * each.minimum_order_quantity).sort((a, b) => a.price - b.price)
  if (!tool) throw new Error('The store has no catalogue')
  const productQuantity = tool.minimum_order_quantity
  const wish = { toolId: tool._id, productName: tool.name, productQuantity, productCost: productQuantity * tool.price }
  const placed: { _id: string }[] = []
  for (let nth = 0; nth < 10; nth++) {
    const answer = await page.request.post('/api/purchase', { headers, data: { ...wish, buyerAddress: '12 Analytical Road, London' } })
    expect(answer.status(), await answer.text()).toBe(201)
    placed.push(await answer.json())
  }

  await fillPurchaseForm(page, tool._id)
  await page.getByRole('button', { name: /^Order \d/ }).click()
  const refusal = page.getByRole('main').getByRole('alert')
  await expect(refusal).toContainText('You have 10 unpaid orders, and your account can have 10 at a time.')
  await expect(refusal).toContainText('verify your e-mail to have 4 times as much')
  await expect(refusal).toContainText('Nothing was ordered, and what you typed is kept')
  await expect(refusal).toBeFocused()
  await expect(page.getByLabel('Address')).toHaveValue('12 Analytical Road, London')
  for (const [name, address] of [
    ['My Orders', '/dashboard/myorder'],
    ['My Profile', '/dashboard'],
    ['Write to us', '/help#contact'],
  ] as const)
    await expect(refusal.getByRole('link', { name })).toHaveAttribute('href', address)

  expect((await page.request.post(`/api/purchase/${placed[0]?._id}/cancel`, { headers, data: {} })).ok()).toBe(true)
  await page.getByRole('button', { name: /^Order \d/ }).click()
  await expect(page.getByRole('main')).toContainText('order placed successfully')
})
