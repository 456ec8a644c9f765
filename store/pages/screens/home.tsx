import { listTools } from '#store/catalogue/contract.ts'
import { onShelf } from '#store/catalogue/screens/on-shelf.ts'
import { firstTools, hotProducts } from '#store/constants.ts'
import { SignedOut } from '#store/identity/screens/signed-out.tsx'
import { listReviews } from '#store/reviews/contract.ts'
import { Reviews } from '#store/reviews/screens/reviews.tsx'
import { door } from '#web/door.ts'
import { send } from '#web/send.ts'
import type { Route } from './+types/home'
import { About } from './about.tsx'
import { Banner } from './banner.tsx'
import { Brands } from './brands.tsx'
import { brandsCarried } from './brands-carried.ts'
import { HotProducts } from './hot-products.tsx'
import { slides } from './slides.ts'
import { Summary } from './summary.tsx'
import { ToolsAvailable } from './tools-available.tsx'

export async function loader({ context }: Route.LoaderArgs) {
  const [tools, reviews] = await Promise.all([send(listTools, {}, context.get(door)), send(listReviews, {}, context.get(door))])
  const shelf = tools.map(onShelf)
  return {
    slides: slides({
      count: shelf.length,
      inStock: shelf.filter((tool) => tool.inStock).length,
      smallestOrder: Math.min(...shelf.map((tool) => tool.minimum_order_quantity)),
    }),
    first: shelf.slice(0, firstTools),
    // without their descriptions, which would make a third of the page
    hot: shelf.slice(hotProducts.from, hotProducts.to).map(({ description, img, ...tool }) => tool),
    reviews,
    brands: brandsCarried(tools),
  }
}

export const headers = () => ({ 'x-shows': 'tools reviews' })

export const meta: Route.MetaFunction = () => [
  { title: 'Nucleus of PC: computer parts and tools in quantities' },
  {
    name: 'description',
    content: 'Computer parts and workshop tools in trade quantities. Price, stock and smallest order stand on every product.',
  },
]

export default function Home({ loaderData: { slides, first, hot, reviews, brands }, matches: [root] }: Route.ComponentProps) {
  return (
    <main id="main" tabIndex={-1}>
      <SignedOut />
      <Banner slides={slides} />
      <div className="mx-auto flex max-w-page flex-col gap-16 px-4 py-12 sm:px-6">
        <ToolsAvailable tools={first} />
        {hot.length > 0 && <HotProducts tools={hot} />}
        <Reviews reviews={reviews} />
        <Summary />
        {brands.length > 0 && <Brands brands={brands} />}
        <About sinceYear={root.loaderData.sinceYear} />
      </div>
    </main>
  )
}
