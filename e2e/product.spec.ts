import type { APIRequestContext } from '@playwright/test'
import jsQR from 'jsqr'
import { getDocument } from 'pdfjs-dist/legacy/build/pdf.mjs'
import { fullRunJourney } from '../proof/full-run.ts'
import { waitForHydration } from './hydration.ts'
import { adminCredentials, expect, registerByApi, test } from './store.ts'

type Part = { _id: string; name: string; price: number; minimum_order_quantity: number; available_quantity: number }

const partsCalled = async (request: APIRequestContext, name: string): Promise<Part[]> =>
  (await (await request.get('/api/tools')).json()).filter((part: Part) => part.name.includes(name))

async function theCooler(request: APIRequestContext): Promise<Part> {
  const [cooler] = await partsCalled(request, 'NH-U12S')
  if (!cooler) throw new Error('the starting catalogue has no NH-U12S')
  return cooler
}

async function adminsToken(request: APIRequestContext, origin: string) {
  const signedIn = await request.post('/api/auth/sign-in/email', { headers: { origin }, data: adminCredentials })
  return { authorization: `Bearer ${(await signedIn.json()).token}` }
}

const pliers = {
  name: 'Pliers',
  img: '/drawings/pliers.svg',
  description: 'Grips.',
  price: 12.35,
  minimum_order_quantity: 5,
  available_quantity: 40,
}

test.describe('without JavaScript', () => {
  test.use({ javaScriptEnabled: false })

  test('a product of which too few are left says so, and offers no order', async ({ page, request }) => {
    const [soldOut] = (await partsCalled(request, '')).filter((one) => one.available_quantity < one.minimum_order_quantity)
    await page.goto(`/products/${soldOut?._id}`)
    await expect(page.getByText('Out of stock').first()).toBeVisible()
    await expect(page.getByRole('link', { name: 'Buy Now' })).toHaveCount(0)
  })

  test('a product page says what a buyer decides on, and what so many cost', async ({ page, request }) => {
    const part = await theCooler(request)
    const { minimum_order_quantity: min, price } = part

    await page.goto(`/products/${part._id}`)

    await expect(page.getByRole('heading', { level: 1 })).toHaveText(part.name)
    const main = page.getByRole('main')
    await expect(main).toContainText('NH-U12S redux')
    await expect(main).toContainText('NP-0125')
    await expect(main).toContainText(`Available Quantity: ${part.available_quantity}`)
    await expect(main).toContainText(`Minimum Order Quantity: ${min}`)
    await expect(page.getByRole('row', { name: 'Height 158 mm' })).toBeVisible()
    await expect(main).toContainText(`${min} x $${price} = $${(min * price).toLocaleString('en-US')}`)
    await expect(main.getByRole('link', { name: 'CPU coolers' })).toHaveAttribute('href', '/allproducts?category=cpu-cooler')

    await page.getByLabel('Quantity').fill(`${min + 1}`)
    await page.getByRole('button', { name: 'What do so many cost?' }).click()

    await expect(main).toContainText(`${min + 1} x $${price} = $${((min + 1) * price).toLocaleString('en-US')}`)
    await expect(page.getByRole('link', { name: 'Buy Now' })).toHaveAttribute('href', `/purchase/${part._id}?quantity=${min + 1}`)
  })
})

test('the cost follows the quantity, and the order begins with it', async ({ page, request, buyer }) => {
  const part = await theCooler(request)
  const { minimum_order_quantity: min, available_quantity: available, price } = part
  await registerByApi(page, buyer)
  await page.goto(`/products/${part._id}`)
  const quantity = page.getByLabel('Quantity')

  await quantity.fill(`${available + 1}`)
  await expect(page.getByText(`${available} pieces are left`)).toBeVisible()
  await quantity.fill(`${min - 1}`)
  await quantity.blur()
  await expect(page.getByText(`The smallest order is ${min} pieces`)).toBeVisible()
  await quantity.fill(`${min + 3}`)
  await expect(page.getByText(`$${((min + 3) * price).toLocaleString('en-US')}`, { exact: true })).toBeVisible()

  await quantity.press('Enter')
  await page.waitForURL(`**/purchase/${part._id}?quantity=${min + 3}`)
  await page.goBack()

  // A quantity that cannot be ordered is not dropped: the button stays under the pointer, and leads back to the field.
  const buy = page.getByRole('link', { name: 'Buy Now' })
  for (const width of [1280, 320]) {
    await page.setViewportSize({ width, height: 900 })
    for (const [typed, error] of [
      ['99999', `${available} pieces are left`],
      [`${min - 1}`, `The smallest order is ${min} pieces`],
      ['abc', 'Type a whole number of pieces'],
      ['', 'Type a whole number of pieces'],
    ] as const) {
      await quantity.fill(`${min + 3}`)
      await buy.hover()
      const before = await buy.boundingBox()
      await quantity.fill(typed)
      await page.mouse.down()
      await quantity.evaluate(() => new Promise((shown) => requestAnimationFrame(() => requestAnimationFrame(shown))))
      expect(await buy.boundingBox(), typed).toEqual(before)
      await page.mouse.up()
      await expect(quantity).toBeFocused()
      await expect(quantity).toHaveAccessibleDescription(new RegExp(`${error}$`))
      await quantity.press('Enter')
      await expect(quantity).toBeFocused()
      expect(new URL(page.url()).pathname).toBe(`/products/${part._id}`)
    }
  }
  await page.setViewportSize({ width: 1280, height: 900 })
  await quantity.fill(`${min + 3}`)
  await buy.click()

  await expect(page.getByLabel('Quantity')).toHaveValue(`${min + 3}`)
})

test(
  'a part number is copied as it stands, and others of the category lead on, those that can be ordered first',
  fullRunJourney,
  async ({ page, request, context }) => {
    await context.grantPermissions(['clipboard-read', 'clipboard-write'])
    const part = await theCooler(request)
    await page.goto(`/products/${part._id}`)

    await page.getByRole('button', { name: 'Copy part number' }).click()

    await expect(page.getByText('Copied')).toBeVisible()
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe('NH-U12S redux')

    const others = page.getByRole('region', { name: /^Other CPU coolers/ }).getByRole('heading', { level: 3 })
    await expect(others.first()).toBeVisible()
    await expect(page.getByRole('link', { name: /^Compare with/ })).toHaveAttribute('href', new RegExp(`^/compare\\?id=${part._id}&id=`))
    const name = (await others.first().textContent()) ?? ''
    await others.first().getByRole('link').click()

    await expect(page.getByRole('heading', { level: 1 })).toHaveText(name)
  },
)

test(
  'others that can replace a product are called so, and where there is none and none at about its price the heading says nothing of it; the page prints on one sheet, without bar, buttons and others',
  fullRunJourney,
  async ({ page, request }) => {
    const pageOf = async (name: string) => page.goto(`/products/${(await partsCalled(request, name))[0]?._id}`)
    await pageOf('RTX 4000 Ada')
    await expect(page.getByRole('region', { name: 'Other graphics cards', exact: true }).getByRole('listitem').first()).toContainText(
      '$468',
    )

    await pageOf('7800X3D')
    const others = page.getByRole('region', { name: 'Other processors that can replace it', exact: true }).getByRole('listitem')
    await expect(others.first()).toContainText(/(Cheaper|Better): \$[\d.]+ (less|more)/)

    await page.emulateMedia({ media: 'print' })
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
    await expect(page.getByRole('table')).toBeVisible()
    await expect(others.first()).toBeHidden()
    for (const landmark of ['banner', 'contentinfo', 'form'] as const) await expect(page.getByRole(landmark)).toHaveCount(0)
    const sheets = (await page.pdf({ format: 'A4' })).toString('latin1').match(/\/Type \/Page\b(?!s)/g)
    expect(sheets).toHaveLength(1)
  },
)

test('a product prints as one sheet of A4 and of Letter, with its drawing, its part number, the day of its price, and a QR code that leads back to it', async ({
  page,
  request,
  store,
}) => {
  const part = await theCooler(request)
  await page.goto(`/products/${part._id}`)
  await page.emulateMedia({ media: 'print' })

  const code = page.getByRole('img', { name: /^QR code/ })
  await expect(code).toBeVisible()
  await expect(page.getByText(/Price and stock of /)).toBeVisible()
  await expect(page.locator('main img[src^="/drawings/"]').filter({ visible: true }).first()).toBeVisible()
  const pixels = await code.evaluate(async (image: HTMLImageElement) => {
    await image.decode()
    const canvas = document.createElement('canvas')
    canvas.width = image.naturalWidth
    canvas.height = image.naturalHeight
    const drawn = canvas.getContext('2d')
    drawn?.drawImage(image, 0, 0)
    return { width: canvas.width, height: canvas.height, data: [...(drawn?.getImageData(0, 0, canvas.width, canvas.height).data ?? [])] }
  })
  const readQrCode = jsQR as unknown as typeof jsQR.default // its types say that the function is a field of the module, and it is the module
  const read = readQrCode(Uint8ClampedArray.from(pixels.data), pixels.width, pixels.height)
  expect(new URL(read?.data ?? '').pathname).toBe(`/products/${part._id}`)
  for (const format of ['A4', 'Letter']) {
    const sheet = await getDocument({ data: new Uint8Array(await page.pdf({ format })) }).promise
    expect(sheet.numPages, format).toBe(1)
    const { items } = await (await sheet.getPage(1)).getTextContent()
    const text = items.map((item) => ('str' in item ? item.str : '')).join(' ')
    for (const printed of ['NH-U12S redux', 'NP-0125', '158 mm', 'Price and stock of']) expect(text, format).toContain(printed)
  }

  const headers = await adminsToken(request, store.address)
  const description = 'Cuts copper wire flush with the board. '.repeat(125)
  const { _id } = await (await request.post('/api/tools', { headers, data: { ...pliers, description } })).json()
  await page.goto(`/products/${_id}`)
  const sheet = await getDocument({ data: new Uint8Array(await page.pdf({ format: 'A4' })) }).promise
  expect(sheet.numPages, 'with a long description').toBe(1)
})

test('a product that is opened from another shows its first screen first and then all of its own, and Back returns to the place where the reader was', async ({
  page,
  request,
}) => {
  await page.setViewportSize({ width: 390, height: 600 }) // the place is far below the first screen
  await page.goto(`/products/${(await theCooler(request))._id}`)
  await waitForHydration(page)
  const other = page
    .getByRole('region', { name: /^Other / })
    .getByRole('heading', { level: 3 })
    .last()
    .getByRole('link')
  await other.scrollIntoViewIfNeeded()
  const place = await page.evaluate(() => window.scrollY)
  expect(place).toBeGreaterThan(0)
  const name = (await other.textContent()) ?? ''
  await page.evaluate((title) => {
    new MutationObserver(() => {
      if (document.querySelector('h1')?.textContent !== title) return
      document.documentElement.dataset.cameWith ??= document.querySelector('#details') ? 'all' : 'the first screen'
    }).observe(document.body, { childList: true, characterData: true, subtree: true })
  }, name)
  await other.click()
  await expect(page.getByRole('heading', { level: 1, name, exact: true })).toBeVisible()
  await expect(page.getByRole('heading', { name: 'Specifications' })).toHaveCount(1)
  expect(await page.evaluate(() => document.documentElement.dataset.cameWith)).toBe('the first screen')
  expect(await page.evaluate(() => window.scrollY)).toBe(0)

  await page.goBack()
  await expect(other).toHaveText(name)
  await expect.poll(() => page.evaluate(() => window.scrollY)).toBe(place)
})

test('a product that is not there, or not any more, is the not-found page', async ({ request, store }) => {
  const headers = await adminsToken(request, store.address)
  const { _id } = await (await request.post('/api/tools', { headers, data: pliers })).json()
  expect((await request.get(`/products/${_id}`)).status()).toBe(200)
  await request.delete(`/api/tools/${_id}`, { headers })

  for (const id of [_id, crypto.randomUUID(), 'none']) {
    const answer = await request.get(`/products/${id}`)
    expect(answer.status()).toBe(404)
    expect(await answer.text()).toMatch(/<title>[^<]*not found/i)
  }
})

test('a kept product page shows a new price at the next request, and so do the pages that show it beside others', async ({
  page,
  request,
  store,
}) => {
  const headers = await adminsToken(request, store.address)
  const [part, other] = await partsCalled(request, 'crimp')
  const price = (part?.price ?? 0) + 1
  const address = `/products/${part?._id}`
  const beside = page
    .getByRole('region', { name: /^Other crimping tools/ })
    .getByRole('listitem')
    .filter({ hasText: part?.name ?? '' })
  const words = async () => (await (await request.get(address)).text()).replaceAll(/<[^>]*>/g, '')
  expect(await words()).not.toContain(`$${price} each`)
  await page.goto(`/products/${other?._id}`)
  await expect(beside).toContainText(`$${part?.price}`)

  await request.put(`/api/tools/${part?._id}`, { headers, data: { ...part, price } })

  expect(await words()).toContain(`$${price} each`)
  await page.reload()
  await expect(beside).toContainText(`$${price}`)
})

test('search engines read a product with its offer, whatever its name holds', async ({ page, request, store }) => {
  const headers = await adminsToken(request, store.address)
  const name = 'Pliers </script><script>alert(1)</script> & "more"'
  const { _id } = await (await request.post('/api/tools', { headers, data: { ...pliers, name } })).json()

  await page.goto(`/products/${_id}?quantity=7`)

  await expect(page.getByRole('heading', { level: 1 })).toHaveText(name)
  const address = `${store.address}/products/${_id}`
  await expect(page.locator('link[rel=canonical]')).toHaveAttribute('href', address)
  await expect(page.locator('meta[property="og:title"]')).toHaveAttribute('content', name)
  await expect(page.locator('meta[property="og:image"]')).toHaveAttribute('content', `${store.address}/social.png`) // its own is a drawing, and sites take no SVG
  await expect(page.locator('meta[name=description]')).toHaveAttribute('content', /\$12\.35 each, minimum 5/)
  const said = JSON.parse((await page.locator('script[type="application/ld+json"]').textContent()) ?? '')
  expect(said).toMatchObject({
    '@type': 'Product',
    name,
    url: address,
    offers: { '@type': 'Offer', price: '12.35', priceCurrency: 'USD', availability: 'https://schema.org/InStock' },
  })
})
