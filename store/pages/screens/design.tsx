import type { ReactNode } from 'react'
import { Page } from '#web/page.tsx'
import { TextLink } from '#web/text-link.tsx'
import { CarouselSample, Colour, Drawings, Icons, Space, Type } from './design-basics.tsx'
import { EmptyStates, LoadingStates, Notices, Panels, PriceBreakdownAndTimeline, TextSamples } from './design-content.tsx'
import { Buttons, DialogsAndToasts, Fields } from './design-controls.tsx'
import { Tables } from './design-tables.tsx'

export const meta = () => [{ title: 'Design | Nucleus of PC' }]

/** Component gallery of `web/` with all states. Development only. */
export default function Design() {
  return (
    <Page title="Design" lead="What the screens are made of. Switch the colours at the foot of the page, and narrow the window." wide>
      <nav aria-label="Parts" className="flex flex-wrap gap-x-4">
        {sections.map(({ title }) => (
          <TextLink key={title} to={`#${anchorId(title)}`} className="inline-flex min-h-6 items-center">
            {title}
          </TextLink>
        ))}
      </nav>
      {sections.map(({ title, Content }) => (
        <section key={title} id={anchorId(title)} aria-label={title} className="flex flex-col gap-4 border-t border-line pt-6">
          <h2 className="text-xl">{title}</h2>
          <Content />
        </section>
      ))}
    </Page>
  )
}

const anchorId = (title: string) => title.toLowerCase().replaceAll(' ', '-')

const sections: { title: string; Content: () => ReactNode }[] = [
  { title: 'Colour', Content: Colour },
  { title: 'Type', Content: Type },
  { title: 'Space and shape', Content: Space },
  { title: 'Icons', Content: Icons },
  { title: 'Buttons', Content: Buttons },
  { title: 'Fields', Content: Fields },
  { title: 'Words and figures', Content: TextSamples },
  { title: 'Notices', Content: Notices },
  { title: 'Boxes', Content: Panels },
  { title: 'Bill and course', Content: PriceBreakdownAndTimeline },
  { title: 'Tables', Content: Tables },
  { title: 'Questions and news', Content: DialogsAndToasts },
  { title: 'Waiting', Content: LoadingStates },
  { title: 'Nothing there', Content: EmptyStates },
  { title: 'Carousel', Content: CarouselSample },
  { title: 'Drawings', Content: Drawings },
]
