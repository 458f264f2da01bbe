const move =
  'for (const p of document.querySelectorAll("i")) p.style.left = (parseFloat(p.style.left) + 1.7) % 300 + "px"';
/** Bodies of pages that never become stable in real time, by what moves them. */
export const RESTLESS = {
  'a ticker by animation frames': `<i style="position: absolute; left: 0">Breaking news</i>
    <script>const step = () => { ${move}; requestAnimationFrame(step); }; step();</script>`,
  'particles on a canvas': `<canvas id="c" width="300" height="200"></canvas><script>
    const points = Array.from({ length: 40 }, () => ({ x: Math.random() * 300, y: Math.random() * 200, v: Math.random() * 3 }));
    const context = c.getContext('2d');
    const draw = () => {
      context.clearRect(0, 0, 300, 200);
      for (const point of points) { point.x = (point.x + point.v) % 300; context.fillRect(point.x, point.y, 4, 4); }
      requestAnimationFrame(draw);
    };
    draw();</script>`,
  'a carousel every 700 ms': `<h1 id="slide">1</h1>
    <script>let n = 1; setInterval(() => { n = n % 3 + 1; slide.textContent = 'Slide ' + n; }, 700)</script>`,
  'slides that follow the ends of animations': `<style>@keyframes slide { from { translate: 0 60px } } #slide { animation: slide 0.25s }</style>
    <h1 id="slide">1</h1>
    <script>let n = 1; slide.addEventListener('animationend', () => {
      slide.textContent = 'Slide ' + ++n;
      slide.style.animation = 'none';
      slide.getBoundingClientRect();
      slide.style.animation = '';
    })</script>`,
  'a counter by a chain of timeouts': `<h1 id="n">0</h1>
    <script>const tick = () => { n.textContent = Math.round(performance.now() / 10); setTimeout(tick, 30); }; tick();</script>`,
};

export const growing = (count: number) => `<ul id="list"></ul><script>
  let n = 0;
  const id = setInterval(() => {
    list.append(Object.assign(document.createElement('li'), { textContent: ++n }));
    if (n === ${count}) clearInterval(id);
  }, 300);
</script>`;
