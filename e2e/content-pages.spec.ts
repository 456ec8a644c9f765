import { readFileSync } from 'node:fs'
import path from 'node:path'
import { fullRunJourney } from '../proof/full-run.ts'
import { contrastRatio } from './colour.ts'
import { expect, test } from './store.ts'

const portfolio: {
  name: string
  role: string
  photo: string
  about: string
  education: { title: string; school: string; years: string }[]
  skills: { group: string; skills: string[] }[]
  projects: { name: string; about: string; link: string }[]
} = JSON.parse(readFileSync(path.join(import.meta.dirname, '../content/portfolio.json'), 'utf8'))

test('the blog asks five questions under "Simple Blog Q&A", answers each and has no interactive controls', async ({ page }) => {
  await page.goto('/blogs')
  const title = page.getByRole('heading', { level: 1, name: 'Simple Blog Q&A', exact: true })
  await expect(title).toBeVisible()
  await expect(title.locator('svg')).toBeVisible()
  await expect(page).toHaveTitle('Simple Blog Q&A | Nucleus of PC')

  const asked = [
    'performance of a React',
    'manage state in React',
    'prototypal inheritance',
    'array of products by name',
    'write unit tests',
  ]
  await expect(page.getByRole('main').getByRole('heading', { level: 2 })).toHaveText(asked.map((words) => new RegExp(words)))
  for (const words of asked) {
    const said = await page.getByRole('region', { name: words }).locator('p, li').allTextContents()
    expect(said.join(' ').split(/\s+/).length, `words on ${words}`).toBeGreaterThan(50)
  }
  await expect(
    page.getByRole('main').locator('a, button, input, select, textarea, summary, [contenteditable], [tabindex="0"]'),
  ).toHaveCount(0)
})

test('the portfolio shows photo, education, skills and project links of its content file, and each link leads somewhere', async ({
  page,
  store,
}) => {
  await page.goto('/myportfolio')
  await expect(page.getByRole('heading', { level: 1, name: 'My Portfolio' })).toBeVisible()
  const main = page.getByRole('main')
  await expect(main).toContainText(portfolio.name)
  await expect(main).toContainText(portfolio.role)
  await expect(main).toContainText(portfolio.about)

  const photo = page.getByRole('img', { name: `Portrait of ${portfolio.name}` })
  await expect(photo).toHaveAttribute('src', portfolio.photo)
  await expect(photo).toHaveJSProperty('complete', true)
  expect(await photo.evaluate((picture: HTMLImageElement) => picture.naturalWidth)).toBeGreaterThan(0)

  const education = page.getByRole('region', { name: 'Education' }).getByRole('listitem')
  await expect(education).toHaveCount(portfolio.education.length)
  for (const [place, { title, school, years }] of portfolio.education.entries())
    for (const words of [title, school, years]) await expect(education.nth(place)).toContainText(words)

  const skills = page.getByRole('region', { name: 'Skills' })
  await expect(skills.getByRole('heading', { level: 3 })).toHaveText(portfolio.skills.map(({ group }) => group))
  await expect(skills.getByRole('listitem')).toHaveText(portfolio.skills.flatMap((group) => group.skills))

  const links = page.getByRole('region', { name: 'Projects' }).getByRole('link')
  await expect(links).toHaveText(portfolio.projects.map(({ name }) => name))
  for (const [place, { link }] of portfolio.projects.entries()) await expect(links.nth(place)).toHaveAttribute('href', link)

  for (const { link } of portfolio.projects) expect((await page.request.get(link)).status(), link).toBe(200)
  const [first] = portfolio.projects
  const arrived = page.waitForResponse((answer) => answer.url() === new URL(first?.link ?? '', store.address).href)
  await links.first().click()
  expect((await arrived).status()).toBe(200)
  await expect(page.getByRole('heading', { level: 1 })).not.toHaveText('My Portfolio')
  await expect(page.getByRole('heading', { name: 'Page not found' })).toHaveCount(0)
})

test('an unknown path shows the not-found picture with status 404, and no file of the server is among the known ones', async ({ page }) => {
  const drawn = 'A circuit board with a trace that leads nowhere'
  for (const address of ['/blog', '/blogs/1', '/myportfolio/x', '/%E2%9C%93?q=1']) {
    const answer = await page.request.get(address)
    expect(answer.status(), address).toBe(404)
    for (const words of [drawn, '>Page not found<', 'href="/blogs"', '<footer']) expect(await answer.text(), address).toContain(words)
  }
  for (const address of [
    '/server.ts',
    '/store/orders/rules.ts',
    '/migrations/0000_first.sql',
    '/package.json',
    '/.data/postgres/data/nucleus-password',
  ]) {
    const answer = await page.request.get(address)
    expect(answer.status(), address).toBe(404)
    expect(await answer.text(), address).toMatch(/<h1[^>]*>Page not found</)
  }
  const answer = await page.goto('/no/such/page')
  expect(answer?.status()).toBe(404)
  const picture = page.getByRole('img', { name: drawn })
  await expect(picture).toHaveJSProperty('complete', true)
  expect(await picture.evaluate((drawing: HTMLImageElement) => drawing.naturalWidth)).toBeGreaterThan(0)
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Page not found')
  await expect(page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Blogs' })).toBeVisible()
  await expect(page.getByRole('contentinfo')).toContainText('Nucleus of PC')
  await page.getByRole('link', { name: 'All Tools Have on Stock' }).click()
  await page.waitForURL('**/allproducts')
})

test('the page of the calls lists each, tries one, and loads nothing from elsewhere', fullRunJourney, async ({ page, store }) => {
  const elsewhere: string[] = []
  page.on('request', (request) => {
    if (!request.url().startsWith(store.address) && !request.url().startsWith('data:')) elsewhere.push(request.url())
  })
  const document: { paths: Record<string, object> } = await (await page.request.get('/api/openapi.json')).json()
  await page.setViewportSize({ width: 1280, height: 20_000 }) // the page has only the calls that are near what is shown of it
  await page.goto('/api/docs')
  const calls = page.locator('.opblock')
  await expect(calls).toHaveCount(Object.values(document.paths).flatMap((methods) => Object.keys(methods)).length)
  const categories = calls.filter({ has: page.locator('[data-path="/api/categories"]') })
  await categories.getByRole('button').first().click()
  await categories.getByRole('button', { name: 'Try it out' }).click()
  await categories.getByRole('button', { name: 'Execute' }).click()
  await expect(categories.locator('.live-responses-table tr.response .response-col_status')).toHaveText('200')
  expect(elsewhere).toEqual([])
})

test.describe('without JavaScript', () => {
  test.use({ javaScriptEnabled: false })

  test('the blog and the portfolio can be read', fullRunJourney, async ({ page }) => {
    await page.goto('/blogs')
    await expect(page.getByRole('main').getByRole('heading', { level: 2 })).toHaveCount(5)
    await page.goto('/myportfolio')
    for (const { name } of portfolio.projects) await expect(page.getByRole('region', { name: 'Projects' })).toContainText(name)
  })
})

test('a box without a tick stands out from what is around it, in both themes', async ({ page }) => {
  await page.goto('/allproducts')
  const box = page.getByRole('group', { name: 'Brand' }).getByRole('checkbox').first()
  await expect(box).not.toBeChecked()
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme })
    const [border = '', ...grounds] = await box.evaluate((element) => {
      const solid = (of: Element | null): string => {
        const colour = of ? getComputedStyle(of).backgroundColor : 'rgb(255, 255, 255)'
        return of && colour === 'rgba(0, 0, 0, 0)' ? solid(of.parentElement) : colour
      }
      return [getComputedStyle(element).borderTopColor, solid(element), solid(element.parentElement)]
    })
    for (const ground of grounds) expect(contrastRatio(border, ground), `${colorScheme}: ${border} on ${ground}`).toBeGreaterThanOrEqual(3)
  }
  await box.check()
  await expect(box).toBeChecked()
})

test("a link to a public page is shown with the shop's picture, which is there", async ({ request }) => {
  let picture = ''
  const icons = new Set<string>()
  for (const address of ['/', '/allproducts', '/blogs', '/login', '/register', '/myportfolio']) {
    const html = await (await request.get(address)).text()
    ;[, picture = ''] = /<meta property="og:image" content="(https?:\/\/[^/]+\/social\.png)"/.exec(html) ?? []
    expect(picture, address).not.toBe('')
    for (const [link] of html.matchAll(/<link [^>]*rel="(?:icon|apple-touch-icon|manifest)"[^>]*>/g))
      icons.add(/ href="([^"]+)"/.exec(link)?.[1] ?? '')
  }
  const answer = await request.get(picture)
  expect([answer.status(), answer.headers()['content-type']]).toEqual([200, 'image/png'])
  expect(icons.size).toBeGreaterThanOrEqual(3)
  for (const icon of icons) expect((await request.get(icon)).status(), icon).toBe(200)
})
