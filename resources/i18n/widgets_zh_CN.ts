<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="zh_CN" sourcelanguage="en">
<context>
    <name>ClassBars</name>
    <message numerus="yes">
        <source>%n more classes</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>Samples in each class</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>CodeView</name>
    <message>
        <source>Script</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>CommandLine</name>
    <message>
        <source>Copy the command</source>
        <translation>复制命令</translation>
    </message>
</context>
<context>
    <name>CopyButton</name>
    <message>
        <source>Copied</source>
        <translation>已复制</translation>
    </message>
    <message>
        <source>Copy</source>
        <translation>复制</translation>
    </message>
</context>
<context>
    <name>EnvironmentTable</name>
    <message>
        <source>Python environments</source>
        <translation>Python 环境</translation>
    </message>
</context>
<context>
    <name>EventCard</name>
    <message>
        <source>Events</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Nothing noteworthy since this machine was opened.</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>FindingCard</name>
    <message>
        <source>Show less</source>
        <translation>收起</translation>
    </message>
    <message>
        <source>Show more</source>
        <translation>展开</translation>
    </message>
</context>
<context>
    <name>GpuCard</name>
    <message>
        <source>GPU {index}, {name}, {state}</source>
        <translation>GPU {index}，{name}，{state}</translation>
    </message>
    <message>
        <source>Memory</source>
        <translation>显存</translation>
    </message>
    <message>
        <source>No process</source>
        <translation>无进程</translation>
    </message>
    <message>
        <source>Power</source>
        <translation>功耗</translation>
    </message>
    <message>
        <source>Temp.</source>
        <translation>温度</translation>
    </message>
    <message>
        <source>Temperature</source>
        <translation>温度</translation>
    </message>
    <message>
        <source>Utilisation</source>
        <translation>利用率</translation>
    </message>
    <message>
        <source>Utilisation · 60 s</source>
        <translation>利用率 · 近 60 秒</translation>
    </message>
    <message>
        <source>no data</source>
        <translation>无数据</translation>
    </message>
</context>
<context>
    <name>GraphStack</name>
    <message>
        <source>Metric of the strip</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Strip shows</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>HeatStrip</name>
    <message>
        <source>All GPUs at one glance</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Select up to four rows to see them in full below</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Up and down move, the space bar shows a GPU in full below.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>now</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{metric}, all {n} GPUs</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>LogView</name>
    <message>
        <source>Log</source>
        <translation>日志</translation>
    </message>
</context>
<context>
    <name>MachineChooser</name>
    <message>
        <source>Machine: {name}</source>
        <translation>机器：{name}</translation>
    </message>
    <message>
        <source>Open a recorded machine…</source>
        <translation>打开已录制的机器…</translation>
    </message>
    <message>
        <source>Recorded machines</source>
        <translation>已录制的机器</translation>
    </message>
    <message>
        <source>This machine</source>
        <translation>本机</translation>
    </message>
</context>
<context>
    <name>MemoryBar</name>
    <message>
        <source>Activations</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Gradients</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Memory by part</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Optimizer</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Weights</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Workspace and slack</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>usable {n}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{low} – {high} GiB</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>MessageArea</name>
    <message numerus="yes">
        <source>%n more</source>
        <translation>
            <numerusform>另有 %n 条</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>MessageBar</name>
    <message>
        <source>Close this message</source>
        <translation>关闭此消息</translation>
    </message>
</context>
<context>
    <name>ProcessCard</name>
    <message>
        <source>End it</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>End process {pid} ({name})? What it has not saved is lost.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>End process…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Keep it</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Only your own processes on this machine can be ended</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Processes on the GPUs</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>RecordedBar</name>
    <message>
        <source>As it was on {date}. Not live.</source>
        <translation>{date} 的状态，非实时。</translation>
    </message>
    <message>
        <source>Back to this machine</source>
        <translation>返回本机</translation>
    </message>
    <message>
        <source>Not live.</source>
        <translation>非实时。</translation>
    </message>
    <message>
        <source>Open another…</source>
        <translation>打开其他…</translation>
    </message>
    <message>
        <source>Recorded machine “{name}”.</source>
        <translation>已录制的机器“{name}”。</translation>
    </message>
</context>
<context>
    <name>ReleaseStrip</name>
    <message>
        <source>TensorFlow releases on this machine</source>
        <translation>本机可用的 TensorFlow 版本</translation>
    </message>
</context>
<context>
    <name>RequirementTable</name>
    <message>
        <source>Requirements</source>
        <translation>条件</translation>
    </message>
</context>
<context>
    <name>RunCurves</name>
    <message>
        <source>Curves of the training</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>training</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>validation</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>RunDetail</name>
    <message>
        <source>Best {name}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Elapsed</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Folder</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Let it run</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Log</source>
        <translation>日志</translation>
    </message>
    <message>
        <source>One step</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Open in the wizard</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Peak memory of a GPU</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Stop it</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Stop this test run?</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Stop this training? It saves its state first and can go on later with --resume.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Stop…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>epoch {n}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>on the processor</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>RunList</name>
    <message>
        <source>Runs</source>
        <translation>运行记录</translation>
    </message>
</context>
<context>
    <name>SmallMultiples</name>
    <message>
        <source>Graphs of the GPUs</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Left and right arrow keys move the time that is read off; Escape ends it.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>now</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>Spinner</name>
    <message>
        <source>Working</source>
        <translation>处理中</translation>
    </message>
</context>
<context>
    <name>Stepper</name>
    <message>
        <source>Step {n} of {count}: {name}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Steps</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>TallPanels</name>
    <message>
        <source>Graphs of the GPU</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>limit {n}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>peak {n}</source>
        <translation type="unfinished"></translation>
    </message>
</context>
</TS>
