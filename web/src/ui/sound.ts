// Sounds made on the spot, off unless wanted: a stone on wood, a capture, dice, the end of a game.
import { settings } from "./settings";

let audio: AudioContext | null = null;

/** A knock: noise through a narrow filter, gone in a moment. */
function knock(at: number, pitch: number, loud: number, length: number): void {
  if (!audio) return;
  const frames = Math.ceil(audio.sampleRate * length);
  const buffer = audio.createBuffer(1, frames, audio.sampleRate);
  const data = buffer.getChannelData(0);
  for (let i = 0; i < frames; i++) data[i] = (Math.random() * 2 - 1) * Math.exp((-7 * i) / frames);
  const source = new AudioBufferSourceNode(audio, { buffer });
  const filter = new BiquadFilterNode(audio, { type: "bandpass", frequency: pitch, Q: 3 });
  const gain = new GainNode(audio, { gain: loud });
  source.connect(filter).connect(gain).connect(audio.destination);
  source.start(at);
}

function tone(at: number, pitch: number, loud: number, length: number): void {
  if (!audio) return;
  const wave = new OscillatorNode(audio, { type: "triangle", frequency: pitch });
  const gain = new GainNode(audio, { gain: 0 });
  gain.gain.setValueAtTime(loud, at);
  gain.gain.exponentialRampToValueAtTime(0.001, at + length);
  wave.connect(gain).connect(audio.destination);
  wave.start(at);
  wave.stop(at + length);
}

export function play(sound: "move" | "capture" | "dice" | "end" | "warn"): void {
  if (!settings.value.sounds) return;
  audio ??= new AudioContext();
  void audio.resume();
  const now = audio.currentTime;
  switch (sound) {
    case "move": knock(now, 1900, 1.3, 0.06); knock(now, 420, 1.1, 0.09); break;
    case "capture": knock(now, 2300, 1.2, 0.05); knock(now + 0.05, 1500, 1, 0.07); break;
    case "dice": [0, 0.06, 0.11, 0.19].forEach((late, index) => knock(now + late, 1400 + 260 * (index % 3), 0.8, 0.05)); break;
    case "end": [392, 494, 587].forEach((pitch, index) => tone(now + index * 0.12, pitch, 0.16, 0.5)); break;
    case "warn": tone(now, 880, 0.12, 0.16); break;
  }
}
