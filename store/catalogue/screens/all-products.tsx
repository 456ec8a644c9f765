import { listTools } from '#store/catalogue/contract.ts'
import { ButtonLink } from '#web/button.tsx'
import { door } from '#web/door.ts'
import { Page } from '#web/page.tsx'
import { send } from '#web/send.ts'
import type { Route } from './+types/all-products'
import { onShelf } from './on-shelf.ts'
import { ToolGrid } from './tool-grid.tsx'

export async function loader({ context }: Route.LoaderArgs) {
  const tools = await send(listTools, {}, context.get(door))
  return { tools: tools.map(onShelf) }
}

export const headers = () => ({ 'x-shows': 'tools' })

export const meta: Route.MetaFunction = () => [
  { title: 'All tools | Nucleus of PC' },
  { name: 'description', content: 'Every computer part and tool on stock, with its price, its stock and its smallest order.' },
]

export default function AllProducts({ loaderData: { tools } }: Route.ComponentProps) {
  if (tools.length === 0) return <NothingYet />
  return (
    <Page wide title="All tools" lead={`${tools.length} products, ${tools.filter((tool) => tool.inStock).length} of them in stock`}>
      <ToolGrid tools={tools} heading="h2" />
    </Page>
  )
}

function NothingYet() {
  return (
    <Page wide title="All tools">
      <div className="flex flex-col items-start gap-4">
        <img src="/drawings/empty.svg" alt="" width="240" height="160" />
        <p>The shelves are empty: no product has been added yet. Come back soon.</p>
        <ButtonLink to="/" look="quiet">
          Home
        </ButtonLink>
      </div>
    </Page>
  )
}
