import type { ReactNode } from 'react'
import { Page } from '#web/page.tsx'
import { TextLink } from '#web/text-link.tsx'
import { CarouselSample, ColourSamples, DrawingSamples, IconSamples, SpaceSamples, TypeSamples } from './design-basics.tsx'
import {
  EmptyStateSamples,
  LoadingStateSamples,
  NoticeSamples,
  PanelSamples,
  PriceBreakdownAndTimelineSamples,
  TextSamples,
} from './design-content.tsx'
import { ButtonSamples, DialogsAndToastsSamples, FieldSamples } from './design-controls.tsx'
import { TableSamples } from './design-tables.tsx'

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
  { title: 'Colour', Content: ColourSamples },
  { title: 'Type', Content: TypeSamples },
  { title: 'Space and shape', Content: SpaceSamples },
  { title: 'Icons', Content: IconSamples },
  { title: 'Buttons', Content: ButtonSamples },
  { title: 'Fields', Content: FieldSamples },
  { title: 'Words and figures', Content: TextSamples },
  { title: 'Notices', Content: NoticeSamples },
  { title: 'Boxes', Content: PanelSamples },
  { title: 'Bill and course', Content: PriceBreakdownAndTimelineSamples },
  { title: 'Tables', Content: TableSamples },
  { title: 'Questions and news', Content: DialogsAndToastsSamples },
  { title: 'Waiting', Content: LoadingStateSamples },
  { title: 'Nothing there', Content: EmptyStateSamples },
  { title: 'Carousel', Content: CarouselSample },
  { title: 'Drawings', Content: DrawingSamples },
]
