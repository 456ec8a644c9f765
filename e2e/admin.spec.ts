import type { APIRequestContext, Page, Route } from '@playwright/test'
import { expectColour } from './colour.ts'
import { admin, expect, openAsAdmin, signIn, test } from './store.ts'

type Tool = {
  _id: string
  name: string
  description: string
  price: number
  minimum_order_quantity: number
  available_quantity: number
}

const grouped = (figure: number) => figure.toLocaleString('en-US')
const vise = {
  'Product Name': 'Bench vise 80 mm',
  'Product Image': '/drawings/pliers.svg',
  'Product Description': 'Holds a board by its edges, jaws of 80 mm, turns on its foot.',
  'Product Price': '16',
  'Minimum Order Quantity': '10',
  'Available Quantity': ' 1,250 ',
}

async function fill(page: Page, form: Record<string, string>) {
  for (const [label, text] of Object.entries(form)) await page.getByLabel(label).fill(text)
}

/** Calls of the store past its screens, as another admin makes them. */
const asAdmin = async (page: Page) => ({ authorization: `Bearer ${await page.evaluate(() => localStorage.getItem('accessToken'))}` })

const toolsOf = async (request: APIRequestContext): Promise<Tool[]> => (await request.get('/api/tools')).json()
const toasts = (page: Page) => page.getByRole('region', { name: /Notifications/ })
const heads = (page: Page) => page.getByRole('columnheader').allInnerTexts()
const fieldsOf = (page: Page) => page.getByRole('main').locator('form label').allTextContents()

/** The calls of this method to this path from now on. */
function calls(page: Page, method: string, path: RegExp) {
  const made: string[] = []
  page.on('request', (request) => {
    if (request.method() === method && path.test(new URL(request.url()).pathname)) made.push(request.url())
  })
  return made
}

test('the heads and the names of a table stay in view while it scrolls both ways', async ({ page }) => {
  await page.setViewportSize({ width: 1200, height: 600 })
  await openAsAdmin(page, '/dashboard/manageproducts')
  const box = page.getByRole('region', { name: 'All Tools We have on Stock' })
  await expect(box.getByRole('row')).toHaveCount(21)
  const places = () =>
    box.evaluate((element) => {
      element.scrollIntoView()
      element.scrollTo(element.scrollWidth, element.scrollHeight)
      const { top, left } = element.getBoundingClientRect()
      const head = element.querySelector('thead th:last-child')?.getBoundingClientRect().top ?? Number.NaN
      const name = element.querySelector('tbody tr:last-child th')?.getBoundingClientRect().left ?? Number.NaN
      return { head: Math.round(head - top), name: Math.round(name - left) }
    })
  await expect.poll(places).toEqual({ head: 1, name: 1 }) // within the border of the box
  await expect(box.getByRole('button', { name: /^Delete/ }).last()).toBeInViewport()
})

test('Manage All Orders has the specified columns', async ({ page, request, buyer, store }) => {
  const [tool] = await toolsOf(request)
  if (!tool) throw new Error('The store has no catalogue')
  const headers = { origin: store.address }
  const { token } = await (await request.post('/api/auth/sign-up/email', { headers, data: buyer })).json()
  const order = {
    toolId: tool._id,
    productName: tool.name,
    productQuantity: tool.minimum_order_quantity,
    productCost: tool.price * tool.minimum_order_quantity,
    buyerAddress: '12 Analytical Road, London',
  }
  const placed = await request.post('/api/purchase', { headers: { authorization: `Bearer ${token}` }, data: order })
  expect(placed.status(), await placed.text()).toBe(201)

  await openAsAdmin(page, '/dashboard/manageallorders')
  await expect(page.getByRole('heading', { level: 1, name: 'Manage All Orders' })).toBeVisible()
  const row = page.getByRole('row').filter({ hasText: buyer.email })
  await expectColour(row.getByText('Not paid yet'), 'red')
  await expect(row.getByRole('rowheader')).toContainText(buyer.name)
  await expect(row.getByRole('cell')).toHaveText([
    buyer.email,
    order.buyerAddress,
    tool.name,
    `${order.productQuantity}`,
    `$${order.productCost.toLocaleString('en-US')}`,
    'Not paid yet',
  ])
  expect(await heads(page)).toEqual([
    'Buyer Name',
    'Buyer Email',
    'Buyer Address',
    'Product Name',
    'Product Quantity',
    'Total Cost',
    'Payment Status',
  ])
})

test.describe('All Users', () => {
  test.beforeEach(async ({ request, store, buyer }) => {
    const origin = store.address
    expect((await request.post('/api/auth/sign-up/email', { headers: { origin }, data: buyer })).ok()).toBe(true)
  })

  test("the table is titled 'Nucleus of PC All Users' and has Email and two action columns", async ({ page, buyer, request }) => {
    await openAsAdmin(page, '/dashboard/allusers?rows=50')
    const table = page.getByRole('table', { name: 'Nucleus of PC All Users' })
    await expect(table.getByRole('row').filter({ hasText: buyer.email })).toContainText('Make Admin')
    expect(await heads(page)).toEqual(['Email', 'Make Admin', 'Remove User'])

    const own = table.getByRole('row').filter({ hasText: admin.email })
    await expect(own).toContainText('Admin')
    await expect(own.getByText('Owner', { exact: true })).toBeVisible()
    await expect(own.getByRole('button', { name: 'Make Admin' })).toHaveCount(0)

    const users: { email: string; verified?: false }[] = await (await request.get('/api/user', { headers: await asAdmin(page) })).json()
    await expect(table.getByRole('rowheader')).toHaveText(
      users.map(({ email, verified }) => (verified === false ? `${email}unverified` : email)),
    )
    await expect(table.getByRole('row').filter({ hasText: buyer.email })).toContainText('unverified')
    await expect(own).not.toContainText('unverified')
    await expect(table.getByRole('button', { name: /^Remove User, / })).toHaveCount(users.length)
    await expect(own.getByRole('button', { name: 'Remove User' })).toBeDisabled()
    await expect(own.getByRole('button', { name: 'Remove User' })).toHaveAccessibleDescription('Your own account')
  })

  test('Make Admin asks what it gives, makes an admin, says so, and the row then reads Admin; an owner takes it back', async ({
    page,
    buyer,
    request,
    store,
  }) => {
    const other = `other.${buyer.email}`
    const headers = { origin: store.address }
    expect((await request.post('/api/auth/sign-up/email', { headers, data: { ...buyer, email: other } })).ok()).toBe(true)
    await openAsAdmin(page, '/dashboard/allusers?rows=50')
    const button = page.getByRole('button', { name: `Make Admin, ${buyer.email}` })
    await button.click()
    const question = page.getByRole('alertdialog', { name: 'Make this account an admin?' })
    await expect(question).toContainText(buyer.email)
    await expect(question).toContainText('This e-mail has not been verified: anybody may have registered it')
    await expect(question).toContainText('change products, prices and stock, see all orders and customers, refund payments')
    await expect(question.getByRole('button', { name: 'Keep as customer' })).toBeFocused()
    await page.keyboard.press('Escape')
    await expect(question).toHaveCount(0)
    await expect(button).toBeFocused()
    await button.click()
    await question.getByRole('button', { name: `Make ${buyer.email} an admin` }).click()
    await expect(toasts(page)).toContainText(`Made an admin${buyer.email}`)
    await expect(page.getByRole('main').getByRole('status').filter({ hasText: 'Made an admin' })).toContainText(buyer.email)

    // Whom somebody else has made an admin meanwhile: modifiedCount is 0, and nothing was done here that could be told.
    expect((await request.put(`/api/user/admin/${other}`, { headers: await asAdmin(page) })).ok()).toBe(true)
    await page.getByRole('button', { name: `Make Admin, ${other}` }).click()
    await question.getByRole('button', { name: `Make ${other} an admin` }).click()
    await expect(page.getByRole('row').filter({ hasText: other }).locator(':focus')).toHaveText('Admin')
    await expect(toasts(page)).not.toContainText(other)

    const row = page.getByRole('row').filter({ has: page.getByText(buyer.email, { exact: true }) })
    await expect(row.getByText('Admin', { exact: true })).toBeVisible()
    await page.reload()
    await expect(row.getByText('Admin', { exact: true })).toBeVisible()
    await expect(page.getByRole('button', { name: `Make Admin, ${buyer.email}` })).toHaveCount(0)

    await row.getByRole('button', { name: 'Take Back Admin' }).click()
    await page.getByRole('button', { name: `Take it back from ${buyer.email}` }).click()
    await expect(toasts(page)).toContainText(`Admin role taken back${buyer.email}`)
    await expect(row.getByRole('button', { name: 'Make Admin' })).toBeVisible()
  })

  test("a Make Admin that is answered 403 says 'Failed to make admin' in a toast and in the row", async ({ page, buyer }) => {
    await openAsAdmin(page, '/dashboard/allusers?rows=50')
    await page.route('**/api/user/admin/*', (route) => route.fulfill({ status: 403, json: { message: 'This is for admins only' } }))
    await page.getByRole('button', { name: `Make Admin, ${buyer.email}` }).click()
    await page.getByRole('button', { name: `Make ${buyer.email} an admin` }).click()
    await expect(toasts(page)).toContainText('Failed to make admin')
    const row = page.getByRole('row').filter({ hasText: buyer.email })
    await expect(row.getByRole('alert').getByText('Failed to make admin', { exact: true })).toBeVisible()
    for (const told of [row.getByRole('alert'), toasts(page)])
      await expect(told).toContainText(
        `${buyer.email} is no admin yet. Reload the page to see whether you still are one, then press Make Admin again.`,
      )
    await expect(row.getByRole('button', { name: 'Make Admin' })).toBeEnabled()
  })

  test('any other refused Make Admin says why in the words of the server', async ({ page, buyer }) => {
    await openAsAdmin(page, '/dashboard/allusers?rows=50')
    await page.route('**/api/user/admin/*', (route) => route.fulfill({ status: 404, json: { message: 'There is no such account' } }))
    await page.getByRole('button', { name: `Make Admin, ${buyer.email}` }).click()
    await page.getByRole('button', { name: `Make ${buyer.email} an admin` }).click()
    await expect(page.getByRole('row').getByRole('alert')).toContainText('There is no such account')
  })

  test('Lift limits lets an account order without the limits of buyers, and the same button puts them back', async ({
    page,
    buyer,
    request,
  }) => {
    await openAsAdmin(page, '/dashboard/allusers?rows=50')
    const lifted = async () => {
      const users: { email: string; limitsLifted: boolean }[] = await (
        await request.get('/api/user', { headers: await asAdmin(page) })
      ).json()
      return users.find(({ email }) => email === buyer.email)?.limitsLifted
    }
    await page.getByRole('button', { name: `Lift limits, ${buyer.email}` }).click()
    const row = page.getByRole('row').filter({ hasText: buyer.email })
    const told = page.getByRole('main').getByRole('status')
    await expect(toasts(page)).toContainText(`Limits lifted${buyer.email}`)
    await expect(told.filter({ hasText: 'Limits lifted' })).toContainText(`${buyer.email} orders without the limits of buyers`)
    await expect(row.getByText('Limits lifted', { exact: true })).toBeVisible()
    expect(await lifted()).toBe(true)
    await page.reload()
    await page.getByRole('button', { name: `Put limits back, ${buyer.email}` }).click()
    await expect(told.filter({ hasText: 'Limits put back' })).toContainText(buyer.email)
    await expect(row.getByText('Limits: usual', { exact: true })).toBeVisible()
    await expect(page.getByText('Limits keep one buyer from holding all of the stock')).toBeVisible()
    expect(await lifted()).toBe(false)

    await page.route('**/api/user/limits/*', (route) => route.fulfill({ status: 404, json: { message: 'There is no such account' } }))
    await page.getByRole('button', { name: `Lift limits, ${buyer.email}` }).click()
    await expect(page.getByRole('row').getByRole('alert')).toContainText('There is no such account')
  })

  test('Remove User asks by name, and closes the account only when told to, and brings it back', async ({
    page,
    buyer,
    request,
    store,
  }) => {
    await openAsAdmin(page, '/dashboard/allusers?rows=50')
    const button = page.getByRole('button', { name: `Remove User, ${buyer.email}` })
    await button.click()
    const question = page.getByRole('alertdialog', { name: 'Remove this account?' })
    await expect(question).toContainText(buyer.email)
    await expect(question).toContainText('Its unpaid orders end, and their pieces go back into stock; the others stay as they are')
    await expect(question.getByRole('button', { name: 'Keep it' })).toBeFocused()
    await page.keyboard.press('Escape')
    await expect(question).toHaveCount(0)
    await expect(button).toBeFocused()

    await button.click()
    await question.getByRole('button', { name: `Remove ${buyer.email}` }).click()
    await expect(toasts(page)).toContainText('Account removed')
    await expect(page.getByRole('main').getByText(`${buyer.email} can no longer sign in`)).toBeVisible()
    await expect(page.getByRole('row').filter({ hasText: buyer.email })).toHaveCount(0)
    const headers = { origin: store.address }
    expect((await request.post('/api/auth/sign-in/email', { headers, data: buyer })).ok()).toBe(false)

    await page.getByRole('button', { name: `Bring Back, ${buyer.email}` }).click()
    await expect(toasts(page)).toContainText('Account brought back')
    await expect(page.getByRole('row').filter({ hasText: buyer.email })).toContainText('Make Admin')
    await expect(page.getByRole('button', { name: `Bring Back, ${buyer.email}` })).toHaveCount(0)
    expect((await request.post('/api/auth/sign-in/email', { headers, data: buyer })).ok()).toBe(true)
  })
})

test('an admin screen that cannot ask who is an admin signs nobody out, and offers to try again', async ({ page }) => {
  await openAsAdmin(page, '/dashboard')
  const token = await page.evaluate(() => localStorage.getItem('accessToken'))
  const table = page.getByRole('table', { name: 'Nucleus of PC All Users' })
  for (const [answer, words] of [
    [(route: Route) => route.abort(), 'The store cannot be reached'],
    [(route: Route) => route.fulfill({ status: 503, json: { message: 'The books are being moved' } }), 'The books are being moved'],
  ] as const) {
    await page.route('**/api/admin/*', answer)
    await page.goto('/dashboard/allusers?rows=50')
    await expect(page.getByRole('main').getByRole('alert')).toContainText(words)
    expect(await page.evaluate(() => localStorage.getItem('accessToken'))).toBe(token)
    await page.unroute('**/api/admin/*')
    await page.getByRole('button', { name: 'Try again' }).click()
    await expect(table).toBeVisible()
  }
})

test.describe('Add a New Product', () => {
  test('an empty form says all six specified messages, and a list of them links to the fields', async ({ page }) => {
    await openAsAdmin(page, '/dashboard/addatool')
    await expect(page.getByRole('heading', { level: 1, name: 'Add a New Product', exact: true })).toBeVisible()
    expect(await fieldsOf(page)).toEqual(Object.keys(vise))
    const sent = calls(page, 'POST', /\/tools$/)
    await page.getByRole('button', { name: 'Add', exact: true }).click()

    const list = page.getByRole('alert')
    await expect(list).toBeFocused()
    for (const [label, message] of [
      ['Product Name', 'product name is required'],
      ['Product Image', 'product img is required'],
      ['Product Description', 'product description needed'],
      ['Product Price', 'product price is required'],
      ['Minimum Order Quantity', 'minimum order quantity is needed'],
      ['Available Quantity', 'available quantity is needed'],
    ] as const) {
      await expect(page.getByLabel(label)).toHaveAccessibleDescription(new RegExp(message))
      await expect(list.getByRole('link', { name: message })).toBeVisible()
    }
    await expect(page).toHaveTitle(/^Error: /)

    await list.getByRole('link', { name: 'product price is required' }).click()
    await expect(page.getByLabel('Product Price')).toBeFocused()
    await fill(page, vise)
    await expect(page).toHaveTitle('Add a New Product | Nucleus of PC')
    expect(sent).toEqual([])
  })

  test('a figure that is no whole number is refused in words when it is left, and the words go at the key that cures it', async ({
    page,
  }) => {
    await openAsAdmin(page, '/dashboard/addatool')
    const price = page.getByLabel('Product Price')
    await price.focus()
    await price.blur()
    await expect(page.getByText('product price is required')).toHaveCount(0)
    for (const text of ['12.50', '1e3', '-1']) {
      await price.fill(text)
      await price.blur()
      await expect(page.getByText('Enter a whole number of dollars, without cents')).toBeVisible()
      await price.fill('12')
      await expect(page.getByText('Enter a whole number of dollars, without cents')).toHaveCount(0)
    }
    await price.fill('')
    await price.blur()
    await expect(page.getByText('product price is required')).toBeVisible()
    await price.fill('99999999999999999999')
    await expect(page.getByText('A product costs at most $999,999')).toBeVisible()
  })

  test("an added product is told with 'order placed successfully' and its name, empties the form and is for sale", async ({ page }) => {
    await openAsAdmin(page, '/dashboard/addatool')
    await fill(page, vise)
    await page.getByRole('button', { name: 'Add', exact: true }).click()

    await expect(toasts(page)).toContainText('order placed successfully')
    await expect(toasts(page)).toContainText('Bench vise 80 mm')
    await expect(page.getByRole('main').getByText('order placed successfully')).toBeVisible()
    const next = page.getByRole('main').getByText('Bench vise 80 mm added. It is for sale now: view it as buyers do, or add another.')
    await expect(next).toBeVisible()
    for (const label of Object.keys(vise)) await expect(page.getByLabel(label)).toHaveValue('')
    await page.reload()
    await expect(page.getByLabel('Product Name')).toHaveValue('')

    await fill(page, { ...vise, 'Product Name': 'Bench vise 100 mm' })
    await page.getByRole('button', { name: 'Add', exact: true }).click()
    await page.getByRole('button', { name: 'Add another' }).click()
    await expect(page.getByLabel('Product Name')).toBeFocused()
    await page.getByRole('link', { name: 'View it' }).click()
    await expect(page.getByRole('heading', { level: 1, name: 'Bench vise 100 mm' })).toBeVisible()
    await expect(page.getByText('Available Quantity: 1250')).toBeVisible()
  })

  test('a product that could not be added stays in the form, with the words of the server', async ({ page }) => {
    await openAsAdmin(page, '/dashboard/addatool')
    await fill(page, vise)
    const answer = { status: 500, json: { message: 'Something went wrong on our side' } as object }
    await page.route('**/api/tools', (route) => route.fulfill(answer))
    await page.getByRole('button', { name: 'Add', exact: true }).click()
    await expect(toasts(page)).toContainText('Something went wrong on our side')
    await expect(page.getByRole('main').getByRole('alert')).toContainText('We do not know whether the product has arrived')
    for (const [label, text] of Object.entries(vise)) await expect(page.getByLabel(label)).toHaveValue(text)

    answer.status = 400
    answer.json = { message: 'Some fields need another look', errors: { img: 'This picture is not to be had' } }
    await page.getByRole('button', { name: 'Add', exact: true }).click()
    await expect(page.getByLabel('Product Image')).toHaveAccessibleDescription(/This picture is not to be had/)
    await expect(page.getByLabel('Product Image')).toBeFocused()
    await expect(page.getByRole('main').getByText('order placed successfully')).toHaveCount(0)
  })

  test('what was typed for a new product survives a reload and an ended sign-in', async ({ page }) => {
    await openAsAdmin(page, '/dashboard/addatool')
    await fill(page, vise)
    await page.reload()
    for (const [label, text] of Object.entries(vise)) await expect(page.getByLabel(label)).toHaveValue(text)

    await page.evaluate(() => localStorage.setItem('accessToken', 'no-longer-valid'))
    await page.getByRole('button', { name: 'Add', exact: true }).click()
    await page.getByRole('link', { name: 'Sign in and go on' }).click()
    await signIn(page, admin)
    for (const [label, text] of Object.entries(vise)) await expect(page.getByLabel(label)).toHaveValue(text)
  })

  test('while a product is typed its card and its smallest order are shown, and a minimum above the stock warns', async ({ page }) => {
    await openAsAdmin(page, '/dashboard/addatool')
    await fill(page, vise)
    const preview = page.getByRole('complementary', { name: 'What buyers see' })
    await expect(preview).toContainText('Bench vise 80 mm')
    await expect(preview).toContainText('Available Quantity: 1250')
    await expect(preview.getByText('$16 each, minimum 10 = $160')).toBeVisible()
    await expect(preview.getByText('Will show as out of stock')).toHaveCount(0)
    await page.getByLabel('Available Quantity').fill('9')
    await expect(preview.getByText('Will show as out of stock')).toBeVisible()
    await expect(page.getByRole('button', { name: 'Add', exact: true })).toBeEnabled()
  })
})

test.describe('Manage Products', () => {
  test("the table is titled 'All Tools We have on Stock', has the specified columns and the first 30 characters of each description", async ({
    page,
    request,
  }) => {
    const tools: (Tool & { img: string })[] = await (await request.get('/api/tools')).json()
    const [tool] = tools
    await openAsAdmin(page, '/dashboard/manageproducts')
    await expect(page.getByRole('table', { name: 'All Tools We have on Stock' })).toBeVisible()
    await expect(page.getByRole('rowheader')).toContainText(tools.slice(0, 20).map(({ name }) => name))
    await expect(page.getByRole('rowheader').first()).toContainText('iFixit IF145-299-4')
    const pictures = page.getByRole('table').locator('img')
    expect(await pictures.evaluateAll((shown) => shown.map((picture) => picture.getAttribute('src')))).toEqual(
      tools.slice(0, 20).map(({ img }) => img),
    )
    expect(await heads(page)).toEqual([
      'Name',
      'Image',
      'Description',
      'Price',
      'Minimum Order Quantity',
      'Available Quantity',
      'Edit',
      'Delete',
    ])
    const row = page.getByRole('row').filter({ hasText: tool?.name })
    const beginning = row.getByText(`${tool?.description.slice(0, 30)}...`, { exact: true })
    await expect(row.getByText(tool?.description ?? '', { exact: true })).toBeHidden()
    await beginning.click()
    await expect(row.getByText(tool?.description ?? '', { exact: true })).toBeVisible()
    await expect(row).toContainText(`$${tool?.price}`)
  })

  test('the address says what is searched, in which order and on which page, so Back and a reload show the same', async ({
    page,
    request,
  }) => {
    const tools = await toolsOf(request)
    const dearest = Math.max(...tools.map(({ price }) => price)).toLocaleString('en-US')
    await openAsAdmin(page, '/dashboard/manageproducts')
    const rows = page.getByRole('row')
    await expect(rows).toHaveCount(21)
    await expect(page.getByText(`${tools.length} products`)).toBeVisible()

    const price = page.getByRole('columnheader', { name: 'Price' })
    await price.getByRole('button').click()
    await expect(price).toHaveAttribute('aria-sort', 'ascending')
    await price.getByRole('button').click()
    await expect(price).toHaveAttribute('aria-sort', 'descending')
    await expect(rows.nth(1)).toContainText(`$${dearest}`)
    await page.getByRole('link', { name: 'Next page' }).click()
    await expect(page.getByText(/^Page 2 of \d+$/)).toBeVisible()
    expect(new URL(page.url()).search).toBe('?sort=-price&page=2')
    await page.reload()
    await expect(page.getByText(/^Page 2 of \d+$/)).toBeVisible()
    await expect(price).toHaveAttribute('aria-sort', 'descending')
    await page.goBack()
    await expect(page.getByText(/^Page 1 of \d+$/)).toBeVisible()
    await expect(rows.nth(1)).toContainText(`$${dearest}`)

    const asked: string[] = []
    page.on('request', (request) => asked.push(request.url()))
    await page.getByLabel('Search names, part numbers, SKUs and descriptions').pressSequentially('soldering hakko')
    await expect(page.getByText(/^\d products? found for "soldering hakko"$/)).toBeVisible()
    for (const row of (await rows.all()).slice(1)) await expect(row).toContainText('Hakko')
    expect(new URL(page.url()).searchParams.get('q')).toBe('soldering hakko')
    expect(asked.filter((url) => url.includes('/api/') && !url.includes('/api/search?'))).toEqual([])
    await page.getByRole('button', { name: 'Clear' }).click()
    await page.getByRole('link', { name: '50 rows' }).click()
    await expect(rows).toHaveCount(51)
  })

  for (const width of [1280, 360])
    test(`at ${width} px Delete asks in the specified words, and what is deleted leaves the list and the shop`, async ({
      page,
      request,
    }) => {
      await page.setViewportSize({ width, height: 800 })
      const [, tool, next] = await toolsOf(request)
      if (!tool || !next) throw new Error('The store has no catalogue')
      await openAsAdmin(page, '/dashboard/manageproducts')
      const sent = calls(page, 'DELETE', /\/tools\//)
      const button = page.getByRole('button', { name: `Delete, ${tool.name}` })
      await button.click()
      const question = page.getByRole('alertdialog', { name: 'Are you sure to Delete this product?' })
      await expect(question).toContainText(tool.name)
      await expect(question).toContainText('Open orders keep it')
      await expect(question.getByRole('button')).toHaveText(['Keep it', `Delete ${tool.name}`])
      await expect(question.getByRole('button', { name: 'Keep it' })).toBeFocused()
      await page.keyboard.press('Enter')
      await expect(question).toHaveCount(0)
      await expect(button).toBeFocused()
      expect(sent).toEqual([])
      expect((await request.get(`/api/tools/${tool._id}`)).status()).toBe(200)

      const fetched = calls(page, 'GET', /\/tools|\/manageproducts/)
      await button.click()
      await question.getByRole('button', { name: `Delete ${tool.name}` }).click()
      await expect(toasts(page)).toContainText('One product delete from your inventory')
      await expect(toasts(page)).toContainText(tool.name)
      await expect(page.getByRole('main').getByText('One product delete from your inventory')).toBeVisible()
      await expect(page.getByRole('row').filter({ hasText: tool.name })).toHaveCount(0)
      await expect(page.getByRole('button', { name: `Delete, ${next.name}` })).toBeFocused()
      expect(fetched).toEqual([])
      expect((await request.get(`/api/tools/${tool._id}`)).status()).toBe(404)

      await page.getByRole('button', { name: `Delete, ${next.name}` }).click()
      await expect(question).toContainText(next.name)
      await expect(page.locator('main').getByText('One product delete from your inventory')).toHaveCount(0)
    })

  test('a product that could not be deleted stays, and the question says why', async ({ page, request }) => {
    const [tool] = await toolsOf(request)
    await openAsAdmin(page, '/dashboard/manageproducts')
    await page.route('**/api/tools/*', (route) => route.fulfill({ status: 503, json: { message: 'The store is busy: try again' } }))
    await page.getByRole('button', { name: `Delete, ${tool?.name}` }).click()
    const question = page.getByRole('alertdialog')
    await question.getByRole('button', { name: `Delete ${tool?.name}` }).click()
    await expect(question.getByRole('alert')).toContainText('The store is busy: try again')
    await expect(page.getByLabel('Notifications').getByText('The store is busy: try again')).toBeVisible()
    await expect(page.getByText('One product delete from your inventory')).toHaveCount(0)
    await question.getByRole('button', { name: 'Keep it' }).click()
    await expect(page.getByRole('row').filter({ hasText: tool?.name })).toHaveCount(1)
    await expect(page.getByRole('button', { name: `Delete, ${tool?.name}` })).toBeFocused()
  })
})

test.describe('Update product', () => {
  for (const width of [1280, 360])
    test(`at ${width} px Edit leads to a page where price, minimum and stock can be changed, and nothing else`, async ({
      page,
      request,
    }) => {
      await page.setViewportSize({ width, height: 800 })
      const [tool] = await toolsOf(request)
      if (!tool) throw new Error('The store has no catalogue')
      await openAsAdmin(page, '/dashboard/manageproducts')
      await page.getByRole('link', { name: `Edit, ${tool.name}` }).click()
      await page.waitForURL(`**/instrument/${tool._id}`)
      await expect(page.getByRole('heading', { level: 1, name: 'Update product' })).toBeVisible()

      for (const label of ['Product Name', 'Product Description']) await expect(page.getByLabel(label)).not.toBeEditable()
      await expect(page.getByLabel('Product Name')).toHaveValue(tool.name)
      await expect(page.getByText(`was ${tool.available_quantity}`)).toBeVisible()
      const changed = { price: tool.price + 1, minimum_order_quantity: 3, available_quantity: tool.available_quantity + 5 }
      await fill(page, {
        'Product Price': `${changed.price}`,
        'Minimum Order Quantity': `${changed.minimum_order_quantity}`,
        'Available Quantity': `${changed.available_quantity}`,
      })
      const sent = page.waitForRequest((request) => request.method() === 'PUT')
      await page.getByRole('button', { name: 'Update product' }).click()
      expect((await sent).postDataJSON()).toMatchObject(changed)
      await expect(toasts(page)).toContainText('Product updated successfully')
      await expect(page.getByRole('main').getByText('Product updated successfully')).toBeVisible()
      await expect(page.getByRole('main').getByText(/saved \d+ \w{3} \d{4}, \d\d:\d\d UTC/)).toBeVisible()
      expect(await (await request.get(`/api/tools/${tool._id}`)).json()).toMatchObject({ ...changed, name: tool.name })
      await expect(page.getByText(`was ${changed.available_quantity}`)).toBeVisible()
    })

  test('an emptied figure is asked for in the specified words', async ({ page, request }) => {
    const [tool] = await toolsOf(request)
    await openAsAdmin(page, `/instrument/${tool?._id}`)
    await fill(page, { 'Product Price': '', 'Minimum Order Quantity': '', 'Available Quantity': '' })
    await page.getByRole('button', { name: 'Update product' }).click()
    for (const [label, message] of [
      ['Product Price', 'product price is required'],
      ['Minimum Order Quantity', 'minimum order quantity is needed'],
      ['Available Quantity', 'available quantity is needed'],
    ] as const)
      await expect(page.getByLabel(label)).toHaveAccessibleDescription(new RegExp(message))
    await expect(page).toHaveTitle(/^Error: /)
  })

  test('what was sold while the page was open stays sold, and the page says so', async ({ page, request }) => {
    const tool = (await toolsOf(request)).at(-1)
    if (!tool) throw new Error('The store has no catalogue')
    await openAsAdmin(page, `/instrument/${tool._id}`)
    await page.getByLabel('Available Quantity').fill(`${tool.available_quantity + 5}`)
    const figures = { price: tool.price, minimum_order_quantity: tool.minimum_order_quantity }
    const sold = { ...figures, available_quantity: tool.available_quantity - 2 }
    expect((await request.put(`/api/tools/${tool._id}`, { headers: await asAdmin(page), data: sold })).ok()).toBe(true)

    await page.getByRole('button', { name: 'Update product' }).click()
    await expect(
      page.getByText(`it is ${grouped(tool.available_quantity + 3)} now, not ${grouped(tool.available_quantity + 5)}`),
    ).toBeVisible()
    await expect(page.getByLabel('Available Quantity')).toHaveValue(`${tool.available_quantity + 3}`)
  })

  test('a stock that has moved too far is shown beside the one that was seen, and can be loaded; what was typed is kept', async ({
    page,
    request,
  }) => {
    const tool = (await toolsOf(request)).at(-1)
    if (!tool) throw new Error('The store has no catalogue')
    await openAsAdmin(page, `/instrument/${tool._id}`)
    await fill(page, { 'Product Price': '77', 'Available Quantity': '0' })
    const sold = { price: tool.price, minimum_order_quantity: tool.minimum_order_quantity + 1, available_quantity: 1 }
    expect((await request.put(`/api/tools/${tool._id}`, { headers: await asAdmin(page), data: sold })).ok()).toBe(true)

    await page.getByRole('button', { name: 'Update product' }).click()
    await expect(page.getByText(`When you began, ${grouped(tool.available_quantity)} pieces were available; now it is 1.`)).toBeVisible()
    await expect(page.getByLabel('Product Price')).toHaveValue('77')
    await expect(page.getByLabel('Minimum Order Quantity')).toHaveValue(`${sold.minimum_order_quantity}`)
    await page.getByRole('button', { name: 'Load the new stock' }).click()
    await expect(page.getByLabel('Available Quantity')).toHaveValue('1')
    await page.getByLabel('Available Quantity').fill('4')
    await page.getByRole('button', { name: 'Update product' }).click()
    await expect(page.getByRole('main').getByText('Product updated successfully')).toBeVisible()
    expect(await (await request.get(`/api/tools/${tool._id}`)).json()).toMatchObject({ price: 77, available_quantity: 4 })
  })

  test('changes that were not saved are there again after a reload, and say that they are not saved', async ({ page, request }) => {
    const [tool] = await toolsOf(request)
    if (!tool) throw new Error('The store has no catalogue')
    await openAsAdmin(page, `/instrument/${tool._id}`)
    await page.getByLabel('Product Price').fill('88')
    await page.reload()
    await expect(page.getByText('Not saved yet')).toBeVisible()
    await expect(page.getByLabel('Product Price')).toHaveValue('88')
    await page.getByRole('button', { name: 'Go back to the saved figures' }).click()
    await expect(page.getByLabel('Product Price')).toHaveValue(`${tool.price}`)
    await page.reload()
    await expect(page.getByText('Not saved yet')).toHaveCount(0)
  })

  test('an answer that got lost leaves the form and asks to look before saving again', async ({ page, request }) => {
    const [tool] = await toolsOf(request)
    if (!tool) throw new Error('The store has no catalogue')
    await openAsAdmin(page, `/instrument/${tool._id}`)
    await page.getByLabel('Available Quantity').fill(`${tool.available_quantity + 7}`)
    // The change reaches the store, the answer never comes back.
    await page.route('**/api/tools/*', async (route) => {
      if (route.request().method() === 'PUT') await route.fetch()
      await route.abort()
    })
    await page.getByRole('button', { name: 'Update product' }).click()
    await expect(page.getByRole('main').getByRole('alert')).toContainText('Look again before you save it a second time')
    await expect(toasts(page)).toContainText('The store cannot be reached.')
    await expect(page.getByText('Product updated successfully')).toHaveCount(0)
    await expect(page.getByLabel('Available Quantity')).toHaveValue(`${tool.available_quantity + 7}`)
    await page.unroute('**/api/tools/*')
    await page.getByRole('button', { name: 'Look again' }).click()
    await expect(page.getByText(`now it is ${tool.available_quantity + 7}.`)).toBeVisible()
  })
})
