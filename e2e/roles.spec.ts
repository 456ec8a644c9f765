import type { APIRequestContext, Page } from '@playwright/test'
import { expect, fillCardForm, type Product, registerByForm, signIn, signInAsAdmin, test } from './store.ts'

type Buyer = { name: string; email: string; password: string }

const main = (page: Page) => page.getByRole('main')

/** Opens a menu that has no room on a small screen; where its links stand in view there is no button for it. */
async function unfold(page: Page, button: 'Menu' | 'Dashboard menu') {
  const toggle = page.getByRole('button', { name: button, exact: true })
  if ((await toggle.isVisible()) && (await toggle.getAttribute('aria-expanded')) === 'false') await toggle.click()
}

async function goByBar(page: Page, name: string) {
  await unfold(page, 'Menu')
  await page.getByRole('banner').getByRole('link', { name, exact: true }).filter({ visible: true }).click()
}

async function goByDashboardMenu(page: Page, name: string) {
  await unfold(page, 'Dashboard menu')
  await page.getByRole('navigation', { name: 'Dashboard' }).getByRole('link', { name, exact: true }).click()
}

/** Which of the three the header offers. */
async function expectDoors(page: Page, ...names: string[]) {
  const doors = page.getByRole('banner').getByText(/^(Dashboard|Login|Logout)$/)
  // A page that opens this moment folds the menu again.
  await expect(async () => {
    await unfold(page, 'Menu')
    expect((await doors.filter({ visible: true }).allTextContents()).sort()).toEqual(names)
  }).toPass()
}

/** A phone and a desk. */
const widths = [360, 1280] as const

/**
 * The screen is open here at both widths, and nobody was sent away from it; it stands in the frame of every page. The window keeps the width that
 * it did not have before, so that what is done on the way is done now at the one and now at the other.
 */
async function expectScreen(page: Page, path: string, title: string) {
  const wide = page.viewportSize()?.width === widths[1]
  for (const width of wide ? widths.toReversed() : widths) {
    await page.setViewportSize({ width, height: 800 })
    await expect(page.getByRole('heading', { level: 1 })).toHaveText(title)
    expect(new URL(page.url()).pathname).toBe(path)
    const footer = page.getByRole('contentinfo')
    await expect(footer).toContainText(`Nucleus of PC ${new Date().getFullYear()}`)
    await expect(footer).toContainText('Providing reliable tech since 2017')
  }
}

async function expectDashboardScreen(page: Page, path: string, title: string) {
  await expectScreen(page, path, title)
  await expect(page.getByRole('heading', { name: 'Welcome to Dashboard' })).toBeVisible()
}

/** On a phone a notification lies over the second bar. */
async function closeNotification(page: Page) {
  const close = page.getByLabel('Notifications').getByRole('button', { name: 'Close', includeHidden: true })
  await close.click()
  await expect(close).toHaveCount(0)
}

async function signUp(request: APIRequestContext, origin: string, buyer: Buyer): Promise<string> {
  const answer = await request.post('/api/auth/sign-up/email', { headers: { origin }, data: buyer })
  return (await answer.json()).token
}

test('a visitor reads home, all products, blogs and portfolio, finds the registration and signs in, 1280 and 360 px wide', async ({
  page,
  request,
  buyer,
  store,
}) => {
  await signUp(request, store.address, buyer)
  const tools: Product[] = await (await request.get('/api/tools')).json()
  await page.goto('/')
  const welcome = 'Computer parts and tools in quantities, for workshops and builders'
  await expectScreen(page, '/', welcome)
  const headings = await main(page).getByRole('heading').allTextContents()
  await page.goto('/home')
  await expectScreen(page, '/home', welcome)
  await expect(main(page).getByRole('heading')).toHaveText(headings)
  await expectDoors(page, 'Login')

  await goByBar(page, 'All tools')
  await expectScreen(page, '/allproducts', 'All tools')
  await expect(main(page).getByRole('article')).toHaveCount(Math.min(tools.length, 24))
  await goByBar(page, 'Blogs')
  await expectScreen(page, '/blogs', 'Simple Blog Q&A')
  await goByBar(page, 'My Portfolio')
  await expectScreen(page, '/myportfolio', 'My Portfolio')
  await goByBar(page, 'Home')
  await expectScreen(page, '/', welcome)
  await page.goto('/no-such-page')
  await expectScreen(page, '/no-such-page', 'Page not found')

  await goByBar(page, 'Login')
  await expectScreen(page, '/login', 'Nucleus of PC')
  await main(page).getByRole('link', { name: 'Go to Register' }).click()
  await expectScreen(page, '/register', 'Register')
  for (const label of ['Full name', 'E-mail', 'Password']) await expect(page.getByLabel(label, { exact: true })).toBeEditable()
  await expect(main(page).getByRole('button', { name: 'Continue with Google' })).toBeVisible()
  await main(page).getByRole('link', { name: 'Go to Login' }).click()
  await expectScreen(page, '/login', 'Nucleus of PC')
  await signIn(page, buyer)
  await page.waitForURL('**/home')
  await expect(page.getByRole('navigation', { name: 'Main' })).toContainText(buyer.name)
  await expectDoors(page, 'Dashboard', 'Logout')
})

test('a customer edits the profile, posts a review, orders and pays, 1280 and 360 px wide', async ({ page, request, buyer }) => {
  const tools: Product[] = await (await request.get('/api/tools')).json()
  const tool = tools.find((tool) => tool.minimum_order_quantity > 1 && tool.available_quantity > 1000)
  const soldOut = tools.find((tool) => tool.minimum_order_quantity > tool.available_quantity)
  if (!tool || !soldOut) throw new Error('The catalogue has no tool with enough, or none with too little in stock')
  await registerByForm(page, buyer)
  await closeNotification(page)
  await expectDoors(page, 'Dashboard', 'Logout')
  await goByBar(page, 'Dashboard')
  await expectDashboardScreen(page, '/dashboard', 'My Profile')

  await page.getByLabel('Image URL').fill('/drawings/crimper.svg')
  await page.getByLabel('Education').fill('Mathematics, privately')
  await page.getByLabel('Location').fill('London, United Kingdom')
  await page.getByLabel('Phone').fill('0171 987')
  await page.getByLabel('LinkedIn profile link').fill('linkedin.com/in/ada')
  await page.getByRole('button', { name: 'Update Profile' }).click()
  await expect(main(page).getByText('Profile saved')).toBeVisible()

  await goByDashboardMenu(page, 'Add A Review')
  await expectDashboardScreen(page, '/dashboard/addreview', 'Please Post Your Review Here Below')
  await page.getByLabel('Say About Our Company').fill('Counted and complete, at two widths.')
  await page.getByLabel('As a figure').selectOption('4.5')
  await page.getByRole('button', { name: 'Post Review' }).click()
  await expect(main(page).getByText('Review Added Successfully')).toBeVisible()

  await closeNotification(page)
  await goByDashboardMenu(page, 'My Orders')
  await expectDashboardScreen(page, '/dashboard/myorder', 'My Orders')
  await page.goto(`/purchase/${soldOut._id}`)
  await expectScreen(page, `/purchase/${soldOut._id}`, soldOut.name)
  await expect(main(page)).toContainText('Out of stock')
  await expect(main(page).getByRole('button').or(main(page).getByRole('textbox'))).toHaveCount(0)

  await goByBar(page, 'All tools')
  await main(page)
    .getByRole('link', { name: `Buy Now, ${tool.name}` })
    .click()
  await expectScreen(page, `/purchase/${tool._id}`, tool.name)
  const said = (await main(page).innerText()).replace(/\s+/g, ' ')
  const inOrder = [
    tool.name,
    `Price: $${tool.price}`,
    tool.description,
    `Minimum Order Quantity: ${tool.minimum_order_quantity}`,
    `Available Quantity: ${tool.available_quantity}`,
    'Who orders, and where it goes',
  ]
  expect(inOrder.map((words) => said.indexOf(words))).not.toContain(-1)
  expect(inOrder.toSorted((one, other) => said.indexOf(one) - said.indexOf(other))).toEqual(inOrder)

  await page.getByLabel('Address').fill('12 Analytical Road, London')
  await page.getByLabel('Phone number').fill('+44 20 7946 0018')
  await page.getByRole('button', { name: /^Order \d/ }).click()
  const pay = main(page).getByRole('link', { name: /^Pay/ })
  const payment = (await pay.getAttribute('href')) ?? ''
  expect(payment).toMatch(/^\/dashboard\/payment\/[\w-]+$/)
  await pay.click()
  await expectDashboardScreen(page, payment, await page.getByRole('heading', { name: /^Pay for order \d+$/ }).innerText())
  await fillCardForm(page, '4242 4242 4242 4242')
  await page.getByRole('button', { name: /^Pay/ }).click()
  await expect(main(page).getByText('Payment successfully done...')).toBeVisible()
  await main(page).getByRole('link', { name: 'My Orders' }).click()
  await expectDashboardScreen(page, '/dashboard/myorder', 'My Orders')
  await expect(page.getByRole('row').filter({ hasText: tool.name }).getByText('Paid', { exact: true })).toBeVisible()
})

test('an admin adds, edits and deletes a tool, makes an admin and sees the orders of everybody, 1280 and 360 px wide', async ({
  page,
  request,
  buyer,
  store,
}) => {
  const [tool]: Product[] = await (await request.get('/api/tools')).json()
  if (!tool) throw new Error('The store has no catalogue')
  const buyers = [buyer, { ...buyer, name: 'Charles Babbage', email: buyer.email.replace('ada', 'charles') }]
  for (const someone of buyers) {
    const headers = { authorization: `Bearer ${await signUp(request, store.address, someone)}` }
    const quantity = tool.minimum_order_quantity
    const order = { productQuantity: quantity, productCost: quantity * tool.price, buyerAddress: '12 Analytical Road, London' }
    const placed = await request.post('/api/purchase', { headers, data: { toolId: tool._id, productName: tool.name, ...order } })
    expect(placed.status(), await placed.text()).toBe(201)
  }
  const name = "Engineer's square 90 mm"

  await signInAsAdmin(page)
  await page.goto('/home')
  await expectDoors(page, 'Dashboard', 'Logout')
  await goByBar(page, 'Dashboard')
  await expectDashboardScreen(page, '/dashboard/overview', 'Overview')
  await goByDashboardMenu(page, 'My Profile')
  await expectDashboardScreen(page, '/dashboard', 'My Profile')

  await goByDashboardMenu(page, 'Add Tool')
  await expectDashboardScreen(page, '/dashboard/addatool', 'Add a New Product')
  await page.getByLabel('Product Name').fill(name)
  await page.getByLabel('Product Image').fill('/drawings/pliers.svg')
  await page.getByLabel('Product Description').fill('Says whether a corner is one.')
  await page.getByLabel('Product Price').fill('16')
  await page.getByLabel('Minimum Order Quantity').fill('10')
  await page.getByLabel('Available Quantity').fill('250')
  await page.getByRole('button', { name: 'Add', exact: true }).click()
  await expect(main(page).getByText('order placed successfully')).toBeVisible()

  await closeNotification(page)
  await goByDashboardMenu(page, 'Manage Products')
  await expectDashboardScreen(page, '/dashboard/manageproducts', 'Manage Products')
  await page.getByLabel('Search names, part numbers, SKUs and descriptions').fill(name)
  const row = page.getByRole('table', { name: 'All Tools We have on Stock' }).getByRole('row').filter({ hasText: name })
  await expect(row).toContainText('$16')
  await row.getByRole('link', { name: `Edit, ${name}` }).click()
  await page.waitForURL('**/instrument/*')
  const added: Product[] = await (await request.get('/api/tools')).json()
  await expectScreen(page, `/instrument/${added.find((tool) => tool.name === name)?._id}`, 'Update product')
  await page.getByLabel('Product Price').fill('17')
  await page.getByRole('button', { name: 'Update product' }).click()
  await expect(main(page).getByText('Product updated successfully')).toBeVisible()

  await page.goto(`/dashboard/manageproducts?q=${encodeURIComponent(name)}`)
  await expect(row).toContainText('$17')
  await row.getByRole('button', { name: `Delete, ${name}` }).click()
  await page
    .getByRole('alertdialog')
    .getByRole('button', { name: `Delete ${name}` })
    .click()
  await expect(main(page).getByText('One product delete from your inventory')).toBeVisible()
  const left: Product[] = await (await request.get('/api/tools')).json()
  expect(left.map((tool) => tool.name)).not.toContain(name)

  await closeNotification(page)
  await goByDashboardMenu(page, 'All Users')
  await expectDashboardScreen(page, '/dashboard/allusers', 'All Users')
  await page.getByLabel('Search e-mails').fill(buyer.email)
  const users = page.getByRole('table', { name: 'Nucleus of PC All Users' })
  await users.getByRole('button', { name: `Make Admin, ${buyer.email}` }).click()
  await page.getByRole('button', { name: `Make ${buyer.email} an admin` }).click()
  await expect(users.getByRole('row').filter({ hasText: buyer.email }).getByText('Admin', { exact: true })).toHaveCount(1)

  await closeNotification(page)
  await goByDashboardMenu(page, 'Manage All Orders')
  await expectDashboardScreen(page, '/dashboard/manageallorders', 'Manage All Orders')
  for (const { name, email } of buyers) await expect(page.getByRole('row').filter({ hasText: email })).toContainText(name)
  const order = page
    .getByRole('row')
    .filter({ hasText: buyer.email })
    .getByRole('link', { name: /^Order \d+$/ })
  const [title, address] = [await order.innerText(), (await order.getAttribute('href')) ?? '']
  await order.click()
  await expectDashboardScreen(page, address, title)
  await expect(page.getByRole('table', { name: 'History, newest last' })).toContainText('Placed')
})
