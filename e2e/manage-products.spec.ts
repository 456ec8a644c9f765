import type { APIRequestContext, Page } from '@playwright/test'
import { fullRunJourney } from '../proof/full-run.ts'
import { adminCredentials, expect, openAsAdmin, type Product, signIn, test } from './store.ts'

// What an admin does with products: adds, finds, changes and deletes them.

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

const toolsOf = async (request: APIRequestContext): Promise<Product[]> => (await request.get('/api/tools')).json()
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

test.describe('Add a New Product', () => {
  test('an empty form says all six specified messages, and a list of them links to the fields; a figure that is none is refused in words, and a card shows what buyers will see', async ({
    page,
  }) => {
    await openAsAdmin(page, '/dashboard/addatool')
    await expect(page.getByRole('heading', { level: 1, name: 'Add a New Product', exact: true })).toBeVisible()
    const folded = ['SKU (optional)', 'Brand (optional)', 'Part number (optional)', 'Category (optional)']
    expect(await fieldsOf(page)).toEqual([...Object.keys(vise), 'Sold in packs of', 'Price breaks', ...folded])
    await expect(page.getByLabel('SKU')).toBeHidden()
    const sent = calls(page, 'POST', /\/tools$/)

    // Words come when a field is left, and go at the key that cures it.
    const price = page.getByLabel('Product Price')
    await price.focus()
    await price.blur()
    await expect(page.getByText('product price is required')).toHaveCount(0)
    for (const text of ['12.505', '12,5050', '1e3', '-1']) {
      await price.fill(text)
      await price.blur()
      await expect(page.getByText('Enter an amount like 16, 12.35 or 1,250')).toBeVisible()
      await price.fill('12')
      await expect(page.getByText('Enter an amount like 16, 12.35 or 1,250')).toHaveCount(0)
    }
    await price.fill('')
    await price.blur()
    await expect(page.getByText('product price is required')).toBeVisible()
    await price.fill('99999999999999999999')
    await expect(page.getByText('A product costs at most $999,999')).toBeVisible()
    await price.fill('')

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
    await expect(price).toBeFocused()

    const preview = page.getByRole('complementary', { name: 'What buyers see' })
    await price.fill('16')
    await expect(preview).toContainText('$16')
    await expect(preview.getByText('Your price')).toHaveCount(0)
    await fill(page, vise)
    await expect(page).toHaveTitle('Add a New Product | Nucleus of PC')
    await expect(preview).toContainText('Bench vise 80 mm')
    await expect(preview).toContainText('Available Quantity: 1250')
    await expect(preview.getByText('$16 each, minimum 10 = $160')).toBeVisible()
    await expect(preview.getByText('Will show as out of stock')).toHaveCount(0)
    await page.getByLabel('Available Quantity').fill('9')
    await expect(preview.getByText('Will show as out of stock')).toBeVisible()
    await expect(page.getByRole('button', { name: 'Add', exact: true })).toBeEnabled()
    expect(sent).toEqual([])
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

    // What the folded part asks for is optional; a SKU that another product has is refused there.
    await fill(page, { ...vise, 'Product Name': 'Bench vise 100 mm' })
    await page.getByText('More about the product', { exact: true }).click()
    const [taken] = (await (await page.request.get('/api/search?limit=1')).json()).tools
    await fill(page, { SKU: taken.sku, Brand: 'Heuer', 'Part number': '100100', Category: 'pliers and cutters' })
    await page.getByRole('button', { name: 'Add', exact: true }).click()
    await expect(page.getByRole('textbox', { name: 'SKU' })).toHaveAccessibleDescription(/Another product has this SKU/)
    await page.getByRole('textbox', { name: 'SKU' }).fill('HEUER-100')
    await page.getByRole('button', { name: 'Add', exact: true }).click()
    await page.getByRole('button', { name: 'Add another' }).click()
    await expect(page.getByLabel('Product Name')).toBeFocused()
    await page.getByRole('link', { name: 'View it' }).click()
    await expect(page.getByRole('heading', { level: 1, name: 'Bench vise 100 mm' })).toBeVisible()
    await expect(page.getByText('Available Quantity: 1250')).toBeVisible()
    const [found] = (await (await page.request.get('/api/search?q=HEUER-100')).json()).tools
    expect(found).toMatchObject({ sku: 'HEUER-100', brand: 'Heuer', mpn: '100100' })
    await page.goto(`/allproducts?category=${found.category}&q=100100`)
    await expect(page.getByRole('heading', { name: 'Pliers and cutters' })).toBeVisible()
  })

  test(
    'a price with cents is typed into the forms, and shown with both cents on list, page, card and Manage Products',
    fullRunJourney,
    async ({ page, request }) => {
      await openAsAdmin(page, '/dashboard/addatool')
      await fill(page, { ...vise, 'Product Name': 'Copper rivets', 'Product Price': '12.35' })
      await expect(
        page.getByRole('complementary', { name: 'What buyers see' }).getByText('$12.35 each, minimum 10 = $123.50'),
      ).toBeVisible()
      await page.getByRole('button', { name: 'Add', exact: true }).click()
      await expect(toasts(page)).toContainText('Copper rivets')
      const tool = (await toolsOf(request)).find(({ name }) => name === 'Copper rivets')
      expect(tool?.price).toBe(12.35)

      await page.goto('/allproducts?q=copper+rivets&price.min=12.30&price.max=12.35')
      await expect(page.getByText('Price: $12.35', { exact: true })).toBeVisible()
      await expect(page.getByText('minimum 10 = $123.50')).toBeVisible()
      await expect(page.getByText('Found from $12.35 to $12.35')).toBeVisible()
      await page.goto(`/products/${tool?._id}?quantity=12`)
      await expect(page.getByRole('main')).toContainText('12 x $12.35 = $148.20')

      await page.goto('/dashboard/manageproducts?q=copper+rivets')
      await expect(page.getByRole('row', { name: /Copper rivets/ })).toContainText('$12.35')
      await page.goto(`/instrument/${tool?._id}`)
      await page.getByLabel('Product Price').fill('9.5')
      await page.getByRole('button', { name: 'Update product' }).click()
      await expect(page.getByRole('main').getByText('Product updated successfully')).toBeVisible()
      await expect(page.getByLabel('Product Price')).toHaveValue('9.50')
      await expect(page.getByText('(was $9.50)')).toBeVisible()
      expect((await toolsOf(request)).find(({ name }) => name === 'Copper rivets')?.price).toBe(9.5)

      await page.getByLabel('Product Price').fill('nothing')
      await page.getByRole('button', { name: 'Update product' }).click()
      await expect(page.getByLabel('Product Price')).toHaveAttribute('aria-invalid', 'true')
      await expect(page.getByRole('main').getByText('Product updated successfully')).toHaveCount(0)
    },
  )

  test(
    'a product that could not be added stays in the form, with the words of the server, through a reload and an ended sign-in',
    fullRunJourney,
    async ({ page }) => {
      await openAsAdmin(page, '/dashboard/addatool')
      await fill(page, vise)
      const answer = { status: 500, json: { message: 'Something went wrong on our side' } as object }
      await page.route('**/api/tools', (route) => route.fulfill(answer))
      await page.getByRole('button', { name: 'Add', exact: true }).click()
      await expect(page.getByRole('main').getByRole('alert')).toContainText('Something went wrong on our side')
      await expect(page.getByRole('main').getByRole('alert')).toContainText('We do not know whether the product has arrived')
      await expect(toasts(page)).toHaveCount(0) // the page says it at the button
      for (const [label, text] of Object.entries(vise)) await expect(page.getByLabel(label)).toHaveValue(text)

      answer.status = 400
      answer.json = { message: 'Some fields need another look', errors: { img: 'This picture is not to be had' } }
      await page.getByRole('button', { name: 'Add', exact: true }).click()
      await expect(page.getByLabel('Product Image')).toHaveAccessibleDescription(/This picture is not to be had/)
      await expect(page.getByLabel('Product Image')).toBeFocused()
      await expect(page.getByRole('main').getByText('order placed successfully')).toHaveCount(0)
      const typed = async () => {
        for (const [label, text] of Object.entries(vise)) await expect(page.getByLabel(label)).toHaveValue(text)
      }
      await page.unroute('**/api/tools')
      await page.reload()
      await typed()
      await page.evaluate(() => localStorage.setItem('accessToken', 'no-longer-valid'))
      await page.getByRole('button', { name: 'Add', exact: true }).click()
      await page.getByRole('link', { name: 'Sign in and go on' }).click()
      await signIn(page, adminCredentials)
      await typed()
    },
  )
})

test.describe('Manage Products', () => {
  test("the table is titled 'All Tools We have on Stock', has the specified columns and the first 30 characters of each description, and its heads and names stay in view", async ({
    page,
    request,
  }) => {
    const tools: (Product & { img: string })[] = await (await request.get('/api/tools')).json()
    const [tool] = tools
    await openAsAdmin(page, '/dashboard/manageproducts')
    await expect(page.getByRole('table', { name: 'All Tools We have on Stock' })).toBeVisible()
    await expect(page.getByRole('rowheader')).toContainText(tools.slice(0, 20).map(({ name }) => name))
    await expect(page.getByRole('rowheader').first()).toContainText('iFixit IF145-299-4')
    const pictures = page.getByRole('table').locator('img')
    expect(await pictures.evaluateAll((shown) => shown.map((picture) => picture.getAttribute('src')?.replace('&size=small', '')))).toEqual(
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

    // while it scrolls both ways
    await page.setViewportSize({ width: 1200, height: 600 })
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

  test(
    'the address says what is searched, in which order and on which page, so Back and a reload show the same',
    fullRunJourney,
    async ({ page, request }) => {
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
    },
  )

  test('Delete asks in the specified words, what is deleted leaves the list and the shop, and what could not be deleted stays, 1280 and 360 px wide', async ({
    page,
    request,
  }) => {
    await openAsAdmin(page, '/dashboard/manageproducts')
    const sent = calls(page, 'DELETE', /\/tools\//)
    const question = page.getByRole('alertdialog', { name: 'Are you sure to Delete this product?' })
    await page.setViewportSize({ width: 1280, height: 800 })
    const [, tool, next] = await toolsOf(request)
    if (!tool || !next) throw new Error('The store has no catalogue')
    const before = sent.length
    const button = page.getByRole('button', { name: `Delete, ${tool.name}` })
    await button.click()
    await expect(question).toContainText(tool.name)
    await expect(question).toContainText('Nobody can order it any more. Open orders keep it, with its name and price.')
    await expect(question).toContainText('To sell it again, bring it back below the list, or import a file with its SKU, ')
    await expect(question.getByRole('button')).toHaveText(['Keep it', `Delete ${tool.name}`])
    await expect(question.getByRole('button', { name: 'Keep it' })).toBeFocused()
    await expect(page.locator('main').getByText('One product delete from your inventory')).toHaveCount(0)
    await page.keyboard.press('Enter')
    await expect(question).toHaveCount(0)
    await expect(button).toBeFocused()
    expect(sent.length).toBe(before)
    expect((await request.get(`/api/tools/${tool._id}`)).status()).toBe(200)

    await page.setViewportSize({ width: 360, height: 800 }) // and what follows is done on a phone
    await page.route('**/api/tools/*', (route) => route.fulfill({ status: 503, json: { message: `Too busy for ${tool.name}` } }))
    await button.click()
    await question.getByRole('button', { name: `Delete ${tool.name}` }).click()
    await expect(question.getByRole('alert')).toContainText(`Too busy for ${tool.name}`)
    await expect(toasts(page)).toHaveCount(0)
    await expect(page.locator('main').getByText('One product delete from your inventory')).toHaveCount(0)
    await question.getByRole('button', { name: 'Keep it' }).click()
    await expect(page.getByRole('row').filter({ hasText: tool.name })).toHaveCount(1)
    await expect(button).toBeFocused()
    await page.unroute('**/api/tools/*')

    const fetched = calls(page, 'GET', /\/tools|\/manageproducts/)
    await button.click()
    await question.getByRole('button', { name: `Delete ${tool.name}` }).click()
    const told = toasts(page).getByRole('dialog').filter({ hasText: tool.name })
    await expect(told.filter({ hasText: 'One product delete from your inventory' })).toBeVisible()
    await expect(page.getByRole('main').getByText('One product delete from your inventory')).toBeVisible()
    await expect(page.getByRole('row').filter({ hasText: tool.name })).toHaveCount(0)
    await expect(page.getByRole('button', { name: `Delete, ${next.name}` })).toBeFocused()
    expect(fetched).toEqual([])
    expect((await request.get(`/api/tools/${tool._id}`)).status()).toBe(404)
  })

  test(
    'a deleted product stands under Removed products, after a reload too, and Bring Back puts it on sale again as it was',
    fullRunJourney,
    async ({ page, request }) => {
      await openAsAdmin(page, '/dashboard/manageproducts')
      const tool = (await toolsOf(request))[5] // not one that another journey deletes
      if (!tool) throw new Error('The store has no catalogue')
      const before = await (await request.get(`/api/tools/${tool._id}`)).json()
      await page.getByRole('button', { name: `Delete, ${tool.name}` }).click()
      await page
        .getByRole('alertdialog')
        .getByRole('button', { name: `Delete ${tool.name}` })
        .click()
      const removed = page.getByRole('region', { name: 'Removed products' })
      await expect(removed.getByRole('listitem').filter({ hasText: tool.name })).toBeVisible()
      await page.reload()
      await expect(removed.getByRole('listitem').filter({ hasText: tool.name })).toBeVisible()
      await expect(page.getByRole('row').filter({ hasText: tool.name })).toHaveCount(0)

      const back = removed.getByRole('button', { name: `Bring Back, ${tool.name}` })
      await page.route('**/api/tools/restored/*', (route) =>
        route.fulfill({ status: 409, json: { message: 'This product was not removed' } }),
      )
      await back.click()
      await expect(removed.getByText('This product was not removed')).toBeVisible()
      await page.unroute('**/api/tools/restored/*')
      await back.click()
      await expect(toasts(page).getByText('Product brought back').first()).toBeVisible()
      await expect(page.getByRole('main').getByText('Product brought back')).toBeVisible()
      await expect(back).toHaveCount(0)
      await expect(page.getByRole('row').filter({ hasText: tool.name })).toHaveCount(1)
      expect(await (await request.get(`/api/tools/${tool._id}`)).json()).toEqual(before)
    },
  )
})

test.describe('Update product', () => {
  test('Edit leads to a page where price, minimum and stock can be changed, name and description are read-only, and more can be changed where it is folded, 1280 and 360 px wide', async ({
    page,
    request,
  }) => {
    await openAsAdmin(page, '/dashboard/manageproducts')
    await page.setViewportSize({ width: 1280, height: 800 })
    const [tool] = await toolsOf(request)
    if (!tool) throw new Error('The store has no catalogue')
    await page.getByRole('link', { name: `Edit, ${tool.name}` }).click()
    await page.waitForURL(`**/instrument/${tool._id}`)
    await expect(page.getByRole('heading', { level: 1, name: 'Update product' })).toBeVisible()

    for (const label of ['Product Name', 'Product Description']) await expect(page.getByLabel(label)).not.toBeEditable()
    await expect(page.getByLabel('Product Name')).toHaveAccessibleDescription(
      'Name and description are changed below, under More about the product. Orders keep those that they were placed with.',
    )
    await expect(page.getByLabel('Product Name')).toHaveValue(tool.name)
    await expect(page.getByText(`was ${tool.available_quantity}`)).toBeVisible()
    await page.setViewportSize({ width: 360, height: 800 }) // and what follows is done on a phone
    const changed = {
      price: Math.ceil(tool.price) + 1, // whole: the journeys that order it multiply
      minimum_order_quantity: 3,
      available_quantity: tool.available_quantity + 5,
    }
    await fill(page, {
      'Product Price': `${changed.price}`,
      'Minimum Order Quantity': `${changed.minimum_order_quantity}`,
      'Available Quantity': `${changed.available_quantity}`,
    })
    const sent = page.waitForRequest((request) => request.method() === 'PUT')
    await page.getByRole('button', { name: 'Update product' }).click()
    expect((await sent).postDataJSON()).toMatchObject(changed)
    await expect(toasts(page).getByText('Product updated successfully').first()).toBeVisible()
    await expect(page.getByRole('main').getByText('Product updated successfully')).toBeVisible()
    await expect(page.getByRole('main').getByText(/saved \d+ \w{3} \d{4}, \d\d:\d\d UTC/)).toBeVisible()
    expect(await (await request.get(`/api/tools/${tool._id}`)).json()).toMatchObject({ ...changed, name: tool.name })
    await expect(page.getByText(`was ${changed.available_quantity}`)).toBeVisible()

    await expect(page.getByLabel('New name')).toBeHidden()
    await page.getByText('More about the product', { exact: true }).click()
    await expect(page.getByLabel('New name')).toHaveValue(tool.name)
    await fill(page, { 'New name': `${tool.name}, second edition`, Brand: 'Acme' })
    const renamed = page.waitForRequest((request) => request.method() === 'PUT')
    await page.getByRole('button', { name: 'Update product' }).click()
    expect((await renamed).postDataJSON().details).toEqual({ name: `${tool.name}, second edition`, brand: 'Acme' })
    await expect(page.getByLabel('Product Name')).toHaveValue(`${tool.name}, second edition`)
    const { part } = await (await request.get(`/api/products/${tool._id}`)).json()
    expect([part.name, part.description, part.brand]).toEqual([`${tool.name}, second edition`, tool.description, 'Acme'])
    await page.getByLabel('New name').fill('')
    await page.getByRole('button', { name: 'Update product' }).click()
    await expect(page.getByLabel('New name')).toHaveAccessibleDescription('product name is required')
    await page.getByLabel('New name').fill(tool.name)
    await page.getByRole('button', { name: 'Update product' }).click()
    await expect(page.getByLabel('Product Name')).toHaveValue(tool.name)
  })

  test(
    'an emptied figure is asked for in the specified words, and changes that were not saved are there after a reload, which says so',
    fullRunJourney,
    async ({ page, request }) => {
      const [tool] = await toolsOf(request)
      if (!tool) throw new Error('The store has no catalogue')
      await openAsAdmin(page, `/instrument/${tool._id}`)
      await fill(page, { 'Product Price': '', 'Minimum Order Quantity': '', 'Available Quantity': '' })
      await page.getByRole('button', { name: 'Update product' }).click()
      for (const [label, message] of [
        ['Product Price', 'product price is required'],
        ['Minimum Order Quantity', 'minimum order quantity is needed'],
        ['Available Quantity', 'available quantity is needed'],
      ] as const)
        await expect(page.getByLabel(label)).toHaveAccessibleDescription(new RegExp(message))
      await expect(page).toHaveTitle(/^Error: /)

      await page.getByLabel('Product Price').fill('88')
      await page.reload()
      await expect(page.getByText('Not saved yet')).toBeVisible()
      await expect(page.getByLabel('Product Price')).toHaveValue('88')
      await page.getByRole('button', { name: 'Go back to the saved figures' }).click()
      await expect(page.getByLabel('Product Price')).toHaveValue(`${tool.price}`)
      await page.reload()
      await expect(page.getByText('Not saved yet')).toHaveCount(0)
    },
  )

  test(
    'what was sold while the page was open stays sold, a stock that moved too far is shown beside the one that was seen and can be loaded, and what was typed is kept',
    fullRunJourney,
    async ({ page, request }) => {
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

      const seen = tool.available_quantity + 3
      await fill(page, { 'Product Price': '77', 'Available Quantity': '0' })
      const further = { price: tool.price, minimum_order_quantity: tool.minimum_order_quantity + 1, available_quantity: 1 }
      expect((await request.put(`/api/tools/${tool._id}`, { headers: await asAdmin(page), data: further })).ok()).toBe(true)

      await page.getByRole('button', { name: 'Update product' }).click()
      await expect(page.getByText(`When you began, ${grouped(seen)} pieces were available; now it is 1.`)).toBeVisible()
      await expect(page.getByLabel('Product Price')).toHaveValue('77')
      await expect(page.getByLabel('Minimum Order Quantity')).toHaveValue(`${further.minimum_order_quantity}`)
      await page.getByRole('button', { name: 'Load the new stock' }).click()
      await expect(page.getByLabel('Available Quantity')).toHaveValue('1')
      await page.getByLabel('Available Quantity').fill('4')
      await page.getByRole('button', { name: 'Update product' }).click()
      await expect(page.getByRole('main').getByText('Product updated successfully')).toBeVisible()
      expect(await (await request.get(`/api/tools/${tool._id}`)).json()).toMatchObject({ price: 77, available_quantity: 4 })
    },
  )

  test('an answer that got lost leaves the form and asks to look before saving again', fullRunJourney, async ({ page, request }) => {
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
    await expect(page.getByRole('main').getByRole('alert')).toContainText('The store cannot be reached.')
    await expect(page.getByText('Product updated successfully')).toHaveCount(0)
    await expect(page.getByLabel('Available Quantity')).toHaveValue(`${tool.available_quantity + 7}`)
    await page.unroute('**/api/tools/*')
    await page.getByRole('button', { name: 'Look again' }).click()
    await expect(page.getByText(`now it is ${grouped(tool.available_quantity + 7)}.`)).toBeVisible()
  })
})

test('what has the focus in a long table is not covered by its headings', async ({ page }) => {
  await page.setViewportSize({ width: 1440, height: 900 })
  await openAsAdmin(page, '/dashboard/manageproducts')
  const region = page.getByRole('region').filter({ has: page.getByRole('table') })
  await expect(region.getByRole('row').nth(10)).toBeVisible()
  const [looked, covered] = await region.evaluate((region) => {
    const controls = [...region.querySelectorAll<HTMLElement>('tbody :is(a, button)')]
    const isCovered = (control: HTMLElement) => {
      region.scrollTop += control.getBoundingClientRect().top - region.getBoundingClientRect().top - 4 // under the headings
      control.focus()
      const { left, top, width, height } = control.getBoundingClientRect()
      return document.elementFromPoint(left + width / 2, top + height / 2)?.closest('thead') != null
    }
    return [controls.length, controls.filter(isCovered).map((control) => control.outerHTML.slice(0, 80))]
  })
  expect(looked).toBeGreaterThan(10)
  expect(covered).toEqual([])
})
