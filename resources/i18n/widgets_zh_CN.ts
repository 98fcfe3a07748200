<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="zh_CN" sourcelanguage="en">
<context>
    <name>AgeText</name>
    <message>
        <source>now</source>
        <translation>现在</translation>
    </message>
    <message>
        <source>{n} h ago</source>
        <translation>{n} 小时前</translation>
    </message>
    <message>
        <source>{n} min ago</source>
        <translation>{n} 分钟前</translation>
    </message>
    <message>
        <source>{n} s ago</source>
        <translation>{n} 秒前</translation>
    </message>
</context>
<context>
    <name>ClassBars</name>
    <message numerus="yes">
        <source>%n more classes</source>
        <translation>
            <numerusform>另有 %n 个类别</numerusform>
        </translation>
    </message>
    <message>
        <source>Samples in each class</source>
        <translation>各类别样本数</translation>
    </message>
    <message>
        <source>fewest</source>
        <translation>最少</translation>
    </message>
</context>
<context>
    <name>CodeView</name>
    <message>
        <source>Script</source>
        <translation>脚本</translation>
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
    <name>ComparedTable</name>
    <message>
        <source>Measured</source>
        <translation>实测</translation>
    </message>
    <message>
        <source>Measured beside predicted</source>
        <translation>实测与预测对照</translation>
    </message>
    <message>
        <source>Outside</source>
        <translation>区间外</translation>
    </message>
    <message>
        <source>Predicted</source>
        <translation>预测</translation>
    </message>
    <message>
        <source>Quantity</source>
        <translation>指标</translation>
    </message>
    <message>
        <source>Within</source>
        <translation>符合</translation>
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
        <translation>事件</translation>
    </message>
    <message>
        <source>Nothing noteworthy since this machine was opened.</source>
        <translation>打开此机器以来没有值得留意的事件。</translation>
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
        <translation>色带显示的指标</translation>
    </message>
    <message>
        <source>No graphs of GPU {n}: {reason}</source>
        <translation>GPU {n} 没有曲线：{reason}</translation>
    </message>
    <message>
        <source>Strip shows</source>
        <translation>色带显示</translation>
    </message>
</context>
<context>
    <name>HeatStrip</name>
    <message>
        <source>All GPUs at one glance</source>
        <translation>全部 GPU 一览</translation>
    </message>
    <message>
        <source>Select up to four rows to see them in full below</source>
        <translation>最多选择四行，在下方查看完整曲线</translation>
    </message>
    <message>
        <source>Up and down move, the space bar shows a GPU in full below.</source>
        <translation>上下键移动，空格键在下方显示该 GPU 的完整曲线。</translation>
    </message>
    <message>
        <source>now</source>
        <translation>现在</translation>
    </message>
    <message>
        <source>{metric}, all {n} GPUs</source>
        <translation>{metric}，全部 {n} 块 GPU</translation>
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
        <source>Open the output of nvidia-smi or another tool…</source>
        <translation>打开 nvidia-smi 等工具的输出…</translation>
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
        <translation>激活值</translation>
    </message>
    <message>
        <source>Gradients</source>
        <translation>梯度</translation>
    </message>
    <message>
        <source>Kept free by TensorFlow</source>
        <translation>TensorFlow 预留</translation>
    </message>
    <message>
        <source>Memory by part</source>
        <translation>显存构成</translation>
    </message>
    <message>
        <source>Optimizer</source>
        <translation>优化器</translation>
    </message>
    <message>
        <source>Weights</source>
        <translation>权重</translation>
    </message>
    <message>
        <source>Workspace and slack</source>
        <translation>工作区与余量</translation>
    </message>
    <message>
        <source>drawn larger; usable are {n}</source>
        <translation>已放大显示；可用 {n}</translation>
    </message>
    <message>
        <source>usable {n}</source>
        <translation>可用 {n}</translation>
    </message>
    <message>
        <source>{low} – {high}, nine times in ten</source>
        <translation>{low} – {high}（九成把握）</translation>
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
    <message numerus="yes">
        <source>%n process(es)</source>
        <translation>
            <numerusform>%n 个进程</numerusform>
        </translation>
    </message>
    <message>
        <source>End it</source>
        <translation>结束</translation>
    </message>
    <message>
        <source>End process {pid} ({name})? What it has not saved is lost.</source>
        <translation>要结束进程 {pid}（{name}）吗？未保存的内容将丢失。</translation>
    </message>
    <message>
        <source>End process…</source>
        <translation>结束进程…</translation>
    </message>
    <message>
        <source>Keep it</source>
        <translation>保留</translation>
    </message>
    <message>
        <source>Only your own processes on this machine can be ended</source>
        <translation>只能结束本机上您自己的进程</translation>
    </message>
    <message>
        <source>Processes on the GPUs</source>
        <translation>GPU 上的进程</translation>
    </message>
    <message>
        <source>Select a process first</source>
        <translation>请先选择一个进程</translation>
    </message>
    <message numerus="yes">
        <source>on %n GPU(s)</source>
        <translation>
            <numerusform>在 %n 块 GPU 上</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>ProofCard</name>
    <message>
        <source>Explain this error</source>
        <translation>解释此错误</translation>
    </message>
    <message>
        <source>Not now</source>
        <translation>暂不</translation>
    </message>
    <message>
        <source>Proof on the GPU</source>
        <translation>GPU 实测验证</translation>
    </message>
    <message>
        <source>Stop</source>
        <translation>停止</translation>
    </message>
    <message>
        <source>Wake it and test</source>
        <translation>唤醒并测试</translation>
    </message>
    <message>
        <source>What TensorFlow said</source>
        <translation>TensorFlow 的原话</translation>
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
        <translation>训练曲线</translation>
    </message>
    <message>
        <source>epoch {n}</source>
        <translation>第 {n} 轮</translation>
    </message>
    <message>
        <source>training</source>
        <translation>训练</translation>
    </message>
    <message>
        <source>validation</source>
        <translation>验证集</translation>
    </message>
</context>
<context>
    <name>RunDetail</name>
    <message>
        <source>Best accuracy</source>
        <translation>最高准确率</translation>
    </message>
    <message>
        <source>Elapsed</source>
        <translation>已用时间</translation>
    </message>
    <message>
        <source>Explain this error</source>
        <translation>解释此错误</translation>
    </message>
    <message>
        <source>Folder</source>
        <translation>文件夹</translation>
    </message>
    <message>
        <source>Let it run</source>
        <translation>继续运行</translation>
    </message>
    <message>
        <source>Log</source>
        <translation>日志</translation>
    </message>
    <message>
        <source>Measured beside predicted</source>
        <translation>实测与预测对照</translation>
    </message>
    <message>
        <source>One step</source>
        <translation>每步时间</translation>
    </message>
    <message>
        <source>Open in the wizard</source>
        <translation>在向导中打开</translation>
    </message>
    <message>
        <source>Peak memory</source>
        <translation>显存峰值</translation>
    </message>
    <message>
        <source>Smallest error</source>
        <translation>最小误差</translation>
    </message>
    <message>
        <source>Smallest loss</source>
        <translation>最小损失</translation>
    </message>
    <message>
        <source>Stop it</source>
        <translation>停止</translation>
    </message>
    <message>
        <source>Stop this test run?</source>
        <translation>要停止这次试运行吗？</translation>
    </message>
    <message>
        <source>Stop this training? It saves its state first and can go on later with --resume.</source>
        <translation>要停止这次训练吗？它会先保存状态，之后可用 --resume 继续。</translation>
    </message>
    <message>
        <source>Stop…</source>
        <translation>停止…</translation>
    </message>
    <message>
        <source>epoch {n}</source>
        <translation>第 {n} 轮</translation>
    </message>
    <message>
        <source>on the processor</source>
        <translation>在处理器上</translation>
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
        <translation>各 GPU 曲线</translation>
    </message>
    <message>
        <source>Left and right arrow keys move the time that is read off; Escape ends it.</source>
        <translation>左右方向键移动读数时刻，Esc 键结束。</translation>
    </message>
    <message>
        <source>now</source>
        <translation>现在</translation>
    </message>
</context>
<context>
    <name>SourceCard</name>
    <message>
        <source>Read from this machine.</source>
        <translation>读取自本机。</translation>
    </message>
    <message>
        <source>Seen on this machine</source>
        <translation>本机所见</translation>
    </message>
    <message>
        <source>Select a row to see where its fact comes from.</source>
        <translation>选择一行即可查看其依据来源。</translation>
    </message>
    <message>
        <source>The rule behind it</source>
        <translation>规则依据</translation>
    </message>
    <message>
        <source>Where this comes from</source>
        <translation>依据来源</translation>
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
        <translation>第 {n} 步，共 {count} 步：{name}</translation>
    </message>
    <message>
        <source>Steps</source>
        <translation>步骤</translation>
    </message>
</context>
<context>
    <name>TallPanels</name>
    <message>
        <source>Graphs of the GPU</source>
        <translation>GPU 曲线</translation>
    </message>
    <message>
        <source>limit {n}</source>
        <translation>上限 {n}</translation>
    </message>
    <message>
        <source>peak {n}</source>
        <translation>峰值 {n}</translation>
    </message>
</context>
<context>
    <name>WaysCard</name>
    <message>
        <source>Other ways on</source>
        <translation>其他途径</translation>
    </message>
    <message>
        <source>Ways on</source>
        <translation>解决途径</translation>
    </message>
</context>
</TS>
